/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One libFuzzer target per reader; XCS_FUZZ_<NAME> says which. The readers take a path, so
 * the input goes into a file in a folder of this process.
 */
#include <common/file.h>
#include <record/hyperfine.h>
#include <record/run.h>
#include <record/trial.h>
#include <record/window.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char dir[64], path[96];

static void remove_dir(void)
{
	xcs_dir_remove(dir);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	snprintf(dir, sizeof(dir), "%s/xcs-fuzz-XXXXXX",
	         access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(dir))
		abort();
	atexit(remove_dir);
	snprintf(path, sizeof(path), "%s/run.json", dir);
	return 0;
}

#if defined(XCS_FUZZ_RUN)
static void read_it(void)
{
	struct xcs_run run;
	struct xcs_err err = {0};
	int rc = xcs_run_load(&run, dir, &err);

	if (rc < 0 && !err.text[0])
		abort(); /* a refusal without its sentence */
	/* What was read can be written. */
	if (rc == 0 && xcs_run_save(&run, dir, NULL))
		abort();
	xcs_run_fini(&run);
}
#elif defined(XCS_FUZZ_TRIAL)
static void read_it(void)
{
	struct xcs_trial_data t;
	struct xcs_window w;
	struct xcs_err err = {0};
	int rc = xcs_trial_load(&t, path, &err);

	if (rc < 0 && !err.text[0])
		abort();
	if (rc == 0) {
		xcs_window_init(&w, &t);
		if (w.foreign_pct.known && !(w.foreign_pct.v >= 0 && w.foreign_pct.v <= 100))
			abort();
		xcs_window_fini(&w);
	}
	xcs_trial_fini(&t);
}
#elif defined(XCS_FUZZ_HYPERFINE)
static void read_it(void)
{
	struct xcs_hyperfine h;
	struct xcs_err err = {0};
	int rc = xcs_hyperfine_load(&h, path, NULL, &err);

	if (rc < 0 ? !err.text[0] : h.n_results == 0)
		abort();
	for (size_t i = 0; i < h.n_results; i++)
		if (h.results[i].mean_ns.known && !(h.results[i].mean_ns.v >= 0))
			abort();
	xcs_hyperfine_fini(&h);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || xcs_fd_write_all(fd, data, n) || close(fd))
		abort();
	read_it();
	return 0;
}
