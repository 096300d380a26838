/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run_options.h"

#include "scenario.h"

#include <stddef.h>

static const char *const servers[] = {"auto", "embedded", "session", "xorg-dummy",
                                      "xvfb", "xephyr",   NULL};
static const char *const autogroups[] = {"as-found", "off", "nice", NULL};
static const char *const modes[] = {"auto", "absolute", "relative", NULL};
static const char *const scrolls[] = {"scenario", "jump", "line", NULL};
static const char *const feeders[] = {"scenario", "lines", "yes", NULL};

#define AT(member) .offset = offsetof(struct run_options, member)

static const struct xcs_option options[] = {
        {"server",                                 's', XCS_OPT_CHOICE, AT(server), .choices = servers,
         .help = "X server to measure; auto takes the session's if DISPLAY is set, else "
                 "embedded; embedded starts Xorg with the dummy driver, or Xvfb where that "
                 "cannot start"},
        {"x-nice",                          'x', XCS_OPT_INTS, AT(x_nice), "N,...", .min = -20, .max = 19,
         .help = "nice levels of the X server"},
        {"load",                      'l', XCS_OPT_STRS, AT(loads), "ID",
         .help = "only this load of the scenario; may be repeated"},
        {"clients",                                        'c', XCS_OPT_INT, AT(n_clients), "N", .min = 1, .max = SCENARIO_CLIENTS_MAX,
         .help = "number of clients of each load"},
        {"columns",            0, XCS_OPT_INT, AT(columns), "N", .min = 2, .max = SCENARIO_COLUMNS_MAX,
         .help = "columns of each window"},
        {"rows",                              0, XCS_OPT_INT, AT(rows), "N", .min = 1, .max = SCENARIO_ROWS_MAX,
         .help = "rows of each window"},
        {"line-bytes",                              0, XCS_OPT_INT, AT(line_bytes), "N", .min = 2, .max = SCENARIO_COLUMNS_MAX,
         .help = "length of the numbered lines, newline included"},
        {"scroll",    0, XCS_OPT_CHOICE, AT(scroll), .choices = scrolls,
         .help = "jump scroll draws what has arrived at once, line scroll each line"},
        {"feeder",                                   0, XCS_OPT_CHOICE, AT(feeder), .choices = feeders,
         .help = "what writes into the terminals: numbered lines that are counted and "
                 "confirmed, or yes(1)"},
        {"client-nice",                            0, XCS_OPT_INT, AT(client_nice), "N", .min = -20, .max = 19,
         .help = "nice level of clients and feeders"},
        {"one-cpu",                                    '1', XCS_OPT_FLAG, AT(one_cpu),
         .help = "bind server and load to one CPU, the sampler to another if there is one"},
        {"cpus",                                        0, XCS_OPT_CPUS, AT(cpus), "LIST", .help = "bind server and load to these CPUs"},
        {"repetitions",'r', XCS_OPT_INT, AT(n_repetitions), "N", .min = 1,
         .max = SCENARIO_REPETITIONS_MAX, .help = "measured trials of each cell"},
        {"sample",                           0, XCS_OPT_DURATION, AT(sample_ns), "TIME",
         .help = "length of a trial's window, at least 5s"},
        {"settle",                                0, XCS_OPT_DURATION, AT(settle_ns), "TIME",
         .help = "how long a load may take to run steadily"},
        {"seed", 0, XCS_OPT_U64, AT(seed), "N",
         .help = "seed of the order of trials; drawn and recorded unless given"},
        {"max-foreign",                                0, XCS_OPT_INT, AT(max_foreign_pct), "PCT", .min = 1, .max = 100,
         .help = "a trial is void when others used more of the load's CPUs (default 10)"},
        {"quick",                             'q', XCS_OPT_FLAG, AT(quick),
         .help = "one trial of each cell and one warm-up of each load; under a minute for the "
                 "shipped scenarios"},
        {"autogroup",                                     0, XCS_OPT_CHOICE, AT(autogroup), .choices = autogroups,
         .help = "off switches kernel.sched_autogroup_enabled for the run; nice sets the nice "
                 "value of the server's autogroup instead of its threads'"},
        {"mode",             0, XCS_OPT_CHOICE, AT(mode), .choices = modes,
         .help = "absolute renices the server; relative leaves it at 0 and gives the load the "
                 "opposite level; auto is absolute with the rights to do so"},
        {"screen",                                        0, XCS_OPT_STR, AT(screen), "WxH",
         .help = "screen of an embedded server (default 1280x1024)"},
        {"output",          'o', XCS_OPT_STR, AT(output), "DIR",
         .help = "folder to make for the run record (default below the user's data folder)"},
        {"json",                                0, XCS_OPT_FLAG, AT(json), .help = "print the report as JSON"},
        {"quiet",                                0, XCS_OPT_FLAG, AT(quiet), .help = "no progress"},
        {"dry-run",            'n', XCS_OPT_FLAG, AT(dry_run),
         .help = "print the plan and how long it will take, and do nothing"},
        {0                            },
};

const struct xcs_command run_command = {
        .name = "xcsbench run",
        .summary = "Runs a scenario and prints its report.",
        .operands = "SCENARIO",
        .min_operands = 1,
        .max_operands = 1,
        .options = options,
        .notes = "The exit status is 0 when the run is complete, 2 for an error or a partial run, "
                 "3 when renice was asked for and could have no effect or no right, and 130 when "
                 "interrupted. Whatever was measured is kept.",
};

struct run_options run_options_defaults(void)
{
	return (struct run_options){
	        .client_nice = RUN_NICE_UNSET, .max_foreign_pct = 10, .screen = "1280x1024"};
}
