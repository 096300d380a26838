/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One libFuzzer target per import format; XCS_FUZZ_<NAME> says which. A refusal has its
 * sentence, and what was read can be written as JSON.
 */
#include <record/json.h>
#include <reports/import/timed.h>
#include <reports/import/vmstat.h>
#include <reports/import/write.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int parse(struct xcs_str t, struct xcs_import *out, struct xcs_err *err)
{
#if defined(XCS_FUZZ_VMSTAT)
	return xcs_vmstat_parse(t, XCS_FIRST_ROW_AUTO, out, err);
#elif defined(XCS_FUZZ_HYPERFINE)
	return xcs_hyperfine_import(t, "true", out, err);
#elif defined(XCS_FUZZ_PERF_STAT)
	return xcs_perf_stat_import(t, out, err);
#elif defined(XCS_FUZZ_SAR)
	return xcs_sar_import(t, out, err);
#elif defined(XCS_FUZZ_SAMPLES)
	return xcs_samples_import(t, out, err);
#endif
}

static void write_all(const struct xcs_import *import)
{
	const struct xcs_import_about about = {.tool = "fuzz", .source = "s", .path = "p"};
	struct xcs_buf text = {0};

	for (size_t i = 0; i < import->n; i++) {
		struct json_t *j = xcs_series_json(&import->v[i], &about);
		xcs_json_write(j, 0, &text);
		xcs_json_free(j);
	}
	xcs_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *copy = malloc(n + 1);
	struct xcs_import import;
	struct xcs_err err = {0};

	/* At the end of a block of exactly its size, so that a step beyond is seen. */
	if (!copy)
		return 0;
	memcpy(copy + 1, data, n);
	if (parse((struct xcs_str){copy + 1, n}, &import, &err) == 0)
		write_all(&import);
	else if (!err.text[0])
		abort();
	xcs_import_fini(&import);
	free(copy);
	return 0;
}
