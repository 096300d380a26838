/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "golden.h"

#include <common/alloc.h>
#include <common/file.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int golden_setup(void **state)
{
	/* Runs are synced to their disk file by file: in memory where there is room. */
	char *dir = xcs_xasprintf("%s/xcs-report-test-XXXXXX",
	                          access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	*state = dir;
	return 0;
}

int golden_teardown(void **state)
{
	assert_int_equal(chdir("/"), 0);
	xcs_dir_remove(*state);
	free(*state);
	return 0;
}

void golden_is_mailable(const struct xcs_buf *text)
{
	struct xcs_str rest = xcs_buf_str(text), line;

	while (xcs_str_next_line(&rest, &line)) {
		if (line.n > 72)
			fail_msg("%zu columns: %.*s", line.n, (int)line.n, line.p);
		for (size_t i = 0; i < line.n; i++)
			if (line.p[i] < ' ' || line.p[i] > '~')
				fail_msg("not ASCII: %.*s", (int)line.n, line.p);
		if (line.n)
			assert_true(line.p[line.n - 1] != ' ');
	}
}

void golden_is(const char *name, const struct xcs_buf *text)
{
	char *path = xcs_xasprintf("%s/reports/expected/%s", XCS_TEST_DATA, name);
	struct xcs_buf want = {0};

	if (getenv("XCS_GOLDEN_WRITE"))
		assert_int_equal(xcs_file_write(path, text->p, text->n, NULL), 0);
	if (xcs_file_read_at(AT_FDCWD, path, &want) || strcmp(want.p, text->p) != 0)
		fail_msg("the report is not %s; it is:\n%s", path, text->p);
	xcs_buf_fini(&want);
	free(path);
}
