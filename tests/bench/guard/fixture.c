/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct world w;
struct xcs_err err;

int set_up(void **state)
{
	(void)state;
	world_init(&w);
	err = (struct xcs_err){""};
	return 0;
}

int tear_down(void **state)
{
	(void)state;
	world_fini(&w);
	return 0;
}

/* Root in a container may lack CAP_SYS_NICE, so it is tried out, in a process that ends. */
bool may_lower_nice(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setpriority(PRIO_PROCESS, 0, -20) ? 1 : 0);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void need_rights(void)
{
	if (may_lower_nice())
		return;
	print_message("skipped: lowering a nice value takes root or CAP_SYS_NICE\n");
	skip();
}

struct guard *start(void)
{
	struct guard *g;

	if (guard_start(&g, &w.env, &w.spec, &err))
		fail_msg("%s", err.text);
	return g;
}

void assert_ok(int rc)
{
	if (rc)
		fail_msg("%d: %s", rc, err.text);
}

void assert_says(const char *part)
{
	if (!strstr(err.text, part))
		fail_msg("'%s' does not say '%s'", err.text, part);
}
