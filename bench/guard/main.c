/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-guard: started by `xcsbench run`, outlives it, puts the machine back.
 */
#include "serve.h"

#include <common/options.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

struct arguments {
	int socket_fd, proc_fd, sys_fd;
	const char *journals, *temp_parent, *tree_parent;
};

static const struct xcs_option options[] = {
        {.name = "socket",
         .type = XCS_OPT_INT,
         .offset = offsetof(struct arguments, socket_fd),
         .metavar = "FD",
         .help = "descriptor of the socket to the owner",
         .max = INT_MAX},
        {.name = "proc",
         .type = XCS_OPT_INT,
         .offset = offsetof(struct arguments, proc_fd),
         .metavar = "FD",
         .help = "descriptor of the process tree to work on",
         .max = INT_MAX},
        {.name = "sys",
         .type = XCS_OPT_INT,
         .offset = offsetof(struct arguments, sys_fd),
         .metavar = "FD",
         .help = "descriptor of the tree of devices to work on; -1: there is none",
         .min = -1,
         .max = INT_MAX},
        {.name = "journals",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct arguments, journals),
         .metavar = "DIR",
         .help = "folder of undo journals"},
        {.name = "temp",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct arguments, temp_parent),
         .metavar = "DIR",
         .help = "folder whose xcsbench-* folders may be removed"},
        {.name = "tree",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct arguments, tree_parent),
         .metavar = "DIR",
         .help = "another such folder"},
        {0                    },
};

static const struct xcs_command command = {
        .name = "xcs-guard",
        .summary = "Makes the changes of a benchmark run and undoes them when it ends or dies.",
        .operands = "",
        .options = options,
        .notes = "It is started by `xcsbench run` and not by hand.",
};

/* Nothing that ends the runner's terminal or session may end the guard before its work is
 * done; a file size limit must come back as an error of write. */
static void ignore_signals(void)
{
	static const int ignored[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
	                              SIGXFSZ, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
}

int main(int argc, char **argv)
{
	struct arguments args = {.socket_fd = -1, .proc_fd = -1, .sys_fd = -1};
	struct xcs_strs operands;
	struct xcs_env env;
	struct xcs_err err = {""};
	int rc = xcs_options_main(&command, argc, argv, &args, &operands);

	if (rc >= 0)
		return rc;
	if (args.socket_fd < 0 || !args.journals || !args.temp_parent) {
		fprintf(stderr, "xcs-guard: it is started by `xcsbench run` and not by hand\n");
		return XCS_EXIT_ERROR;
	}
	ignore_signals();
	rc = xcs_env_open(&env, &err);
	if (rc == 0 && args.proc_fd >= 0) {
		close(env.proc_fd);
		env.proc_fd = args.proc_fd;
		if (env.sys_fd >= 0)
			close(env.sys_fd);
		env.sys_fd = args.sys_fd;
	}
	const struct serve_spec spec = {args.socket_fd, args.journals, args.temp_parent,
	                                args.tree_parent};
	if (rc == 0)
		rc = serve(&env, &spec, &err);
	if (rc && err.text[0])
		fprintf(stderr, "xcs-guard: %s\n", err.text);
	xcs_env_close(&env);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
