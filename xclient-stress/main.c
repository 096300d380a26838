/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xclient-stress: everything that speaks X, in processes of their own. Xlib ends its
 * process when the server dies, so nothing that must outlive the server links it.
 */
#include "flood.h"
#include "screen.h"
#include "server.h"
#include "type.h"
#include "windows.h"

#include <common/alloc.h>
#include <common/options.h>

#include <X11/Xlib.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int on_server_death(Display *dpy)
{
	fprintf(stderr, "xclient-stress: the X server of display %s has gone or dropped us\n",
	        DisplayString(dpy));
	_exit(XCS_EXIT_ERROR);
}

static int on_x_error(Display *dpy, XErrorEvent *e)
{
	char text[128];

	XGetErrorText(dpy, e->error_code, text, sizeof(text));
	fprintf(stderr, "xclient-stress: the X server refused request %d.%d: %s\n", e->request_code,
	        e->minor_code, text);
	_exit(XCS_EXIT_ERROR);
}

static int end(int rc, const struct xcs_err *err)
{
	if (rc < 0)
		fprintf(stderr, "xclient-stress: %s\n", err->text);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "xclient-stress: cannot write the result to standard output\n");
		return XCS_EXIT_ERROR;
	}
	return rc < 0 ? XCS_EXIT_ERROR : rc;
}

static int flood_main(int argc, char **argv)
{
	struct flood_options options;
	struct xcs_err err = {0};
	int status = flood_options_read(&options, argc, argv);

	return status >= 0 ? status : end(flood_run(&options, &err), &err);
}

static int print(int rc, struct xcs_buf *out, const struct xcs_err *err)
{
	if (out->n)
		fputs(out->p, stdout);
	xcs_buf_fini(out);
	return end(rc, err);
}

static int screen_main(int argc, char **argv)
{
	struct screen_options options;
	struct xcs_buf out = {0};
	struct xcs_err err = {0};
	int status = screen_options_read(&options, argc, argv);

	return status >= 0 ? status : print(screen_run(&options, &out, &err), &out, &err);
}

static int server_main(int argc, char **argv)
{
	struct server_options options;
	struct xcs_buf out = {0};
	struct xcs_err err = {0};
	int status = server_options_read(&options, argc, argv);

	return status >= 0 ? status : print(server_describe(&options, &out, &err), &out, &err);
}

static int type_main(int argc, char **argv)
{
	struct type_options options;
	struct xcs_err err = {0};
	int status = type_options_read(&options, argc, argv);

	return status >= 0 ? status : end(type_run(&options, &err), &err);
}

static int hold_windows(void)
{
	char line[16];

	puts("ready");
	fflush(stdout);
	return fgets(line, sizeof(line), stdin) ? 0 : -EPIPE;
}

static int windows_main(int argc, char **argv)
{
	struct windows_options options;
	struct xcs_buf out = {0};
	struct xcs_err err = {0};
	int status = windows_options_read(&options, argc, argv);

	return status >= 0 ? status
	                   : print(windows_check(&options, hold_windows, &out, &err), &out, &err);
}

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
        {"flood",   flood_main  },
        {"screen",  screen_main },
        {"server",  server_main },
        {"type",    type_main   },
        {"windows", windows_main},
};

static const struct xcs_option no_options[] = {{0}};

static const struct xcs_command command = {
        .name = "xclient-stress",
        .summary = "Loads and looks at an X server; each verb has its own --help.",
        .operands = "flood|screen|server|type|windows",
        .min_operands = 1,
        .max_operands = 1,
        .options = no_options,
};

int main(int argc, char **argv)
{
	struct xcs_strs operands;
	char nothing;

	XSetIOErrorHandler(on_server_death);
	XSetErrorHandler(on_x_error);
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	int status = xcs_options_main(&command, argc, argv, &nothing, &operands);
	if (status >= 0)
		return status;
	fprintf(stderr,
	        "xclient-stress: '%s' is none of its verbs flood, screen, server, type, windows\n",
	        operands.v[0]);
	return XCS_EXIT_ERROR;
}
