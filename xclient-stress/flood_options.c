/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flood.h"
#include "text.h"

#include <common/options.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct flood_options, member)

static const struct xcs_option rows[] = {
        {.name = "display",
         .type = XCS_OPT_STR,
         .offset = AT(display),
         .metavar = "DISPLAY",
         .help = "X server to use (default: $DISPLAY)"},
        {.name = "name",
         .type = XCS_OPT_STR,
         .offset = AT(name),
         .metavar = "NAME",
         .help = "name of the window (default: flood)"},
        {.name = "columns",
         .type = XCS_OPT_INT,
         .offset = AT(columns),
         .metavar = "N",
         .max = 1000,
         .help = "characters per line, 0: as many as fit the screen (default: 80)"},
        {.name = "rows",
         .type = XCS_OPT_INT,
         .offset = AT(rows),
         .metavar = "N",
         .max = 1000,
         .help = "lines, 0: as many as fit the screen (default: 24)"},
        {.name = "font",
         .type = XCS_OPT_STR,
         .offset = AT(font),
         .metavar = "FONT",
         .help = "core X font, of fixed width (default: fixed)"},
        {.name = "geometry",
         .type = XCS_OPT_STR,
         .offset = AT(geometry),
         .metavar = "+X+Y",
         .help = "place of the window (default: +0+0)"},
        {.name = "scroll",
         .type = XCS_OPT_CHOICE,
         .offset = AT(scroll),
         .choices = text_scroll_names,
         .help = "move many lines at once, or each by itself (default: jump)"},
        {.name = "flush",
         .type = XCS_OPT_CHOICE,
         .offset = AT(flush),
         .choices = text_flush_names,
         .help = "when requests are sent: as xterm does, behind each read of the pty, "
                 "waiting behind each frame, or never by itself (default: xterm)"},
        {.name = "page",
         .type = XCS_OPT_STR,
         .offset = AT(page),
         .metavar = "FILE",
         .help = "counter page to keep up to date"},
        {.name = "report-fd",
         .type = XCS_OPT_INT,
         .offset = AT(report_fd),
         .metavar = "FD",
         .max = 1023,
         .help = "descriptor on which the totals are written at the end"},
        {.name = "dump",
         .type = XCS_OPT_FLAG,
         .offset = AT(dump),
         .help = "add the rows of the screen to the totals"},
        {0                               },
};

static const struct xcs_command command = {
        .name = "xclient-stress flood",
        .summary = "Shows what a command writes as a terminal does, and counts the work.",
        .operands = "-- COMMAND [ARG]...",
        .min_operands = 1,
        .max_operands = XCS_OPTION_LIST_MAX,
        .options = rows,
        .notes = "The command runs on a pseudo-terminal of its own with TERM=dumb. The exit\n"
                 "status is 0 when it ends, 2 when the X server cannot be used or dies.",
};

int flood_options_read(struct flood_options *options, int argc, char **argv)
{
	struct xcs_strs operands;

	*options = (struct flood_options){
	        .name = "flood",
	        .font = "fixed",
	        .geometry = "+0+0",
	        .columns = 80,
	        .rows = 24,
	        .report_fd = -1,
	};
	int status = xcs_options_main(&command, argc, argv, options, &operands);
	if (status < 0)
		options->command = (const char *const *)(argv + argc - (int)operands.n);
	return status;
}
