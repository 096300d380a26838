/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <record/metric.h>

#include <string.h>

#define TICKS " (tick-sampled, CPUs of the load)"

static const struct xcs_metric metrics[XCS_N_METRICS] = {
        [XCS_METRIC_CS] = {"cs",                       "context switches",                     "1/s", XCS_BETTER_NONE, 0,
                           "growth of ctxt in /proc/stat, all CPUs; counts switches to and from "
                           "idle too, so it is not the sum of the tasks' switches"                                                                                                    },
        [XCS_METRIC_CS_NET] =
                {"cs_net",                   "context switches less the observer's", "1/s", XCS_BETTER_NONE, 0,
                           "cs less two per switch of the sampler itself: one to it, one away from it"                                                                                },
        [XCS_METRIC_CS_TASK] = {"cs_task",                  "task switches",                        "1/s", XCS_BETTER_NONE, 0,
                           "switches (nr_switches) summed over all watched threads: server, "
                                "clients, feeders and what runs beside them"                                                                                                          },
        [XCS_METRIC_INTR] = {"intr",                     "interrupts",                           "1/s", XCS_BETTER_NONE, 0,
                           "growth of intr in /proc/stat, all CPUs"                                                                                                                   },
        [XCS_METRIC_INTR_NET] = {"intr_net",                 "interrupts less the observer's",       "1/s",
                           XCS_BETTER_NONE,                                                                            0,
                           "intr less one per sample: the timer that woke the sampler"                                                                                                },
        [XCS_METRIC_RUNNABLE] = {"runnable",                 "runnable tasks",                       "1",   XCS_BETTER_NONE, 1,
                           "mean of procs_running in /proc/stat at the samples, less the "
                                 "sampler that reads it"                                                                                                                              },
        [XCS_METRIC_US] = {"us",                       "user",                                 "%",   XCS_BETTER_NONE, 0,
                           "share of user ticks, guests included" TICKS                                                                                                               },
        [XCS_METRIC_SY] = {"sy",                       "system",                               "%",   XCS_BETTER_NONE, 0, "share of system ticks" TICKS                               },
        [XCS_METRIC_NI] = {"ni",                       "niced user",                           "%",   XCS_BETTER_NONE, 0,
                           "share of user ticks of tasks at a positive nice, guests "
                           "included" TICKS                                                                                                                                           },
        [XCS_METRIC_ID] = {"id",                       "idle",                                 "%",   XCS_BETTER_NONE, 0, "share of idle ticks" TICKS                                 },
        [XCS_METRIC_WA] = {"wa",                       "waiting for I/O",                      "%",   XCS_BETTER_NONE, 0,
                           "share of iowait ticks" TICKS                                                                                                                              },
        [XCS_METRIC_HI] = {"hi",                       "interrupts",                           "%",   XCS_BETTER_NONE, 0, "share of irq ticks" TICKS                                  },
        [XCS_METRIC_SI] = {"si",                       "soft interrupts",                      "%",   XCS_BETTER_NONE, 0,
                           "share of softirq ticks" TICKS                                                                                                                             },
        [XCS_METRIC_ST] = {"st",                       "stolen",                               "%",   XCS_BETTER_NONE, 0, "share of steal ticks" TICKS                                },
        [XCS_METRIC_SERVER_VCS] = {"server.vcs",               "X voluntary switches",                 "1/s", XCS_BETTER_NONE, 0,
                           "times per second that a thread of the server gave up its CPU "
                                   "itself"                                                                                                                                           },
        [XCS_METRIC_SERVER_ICS] = {"server.ics",               "X involuntary switches",               "1/s", XCS_BETTER_NONE,
                           0,                                                                                             "times per second that a thread of the server was preempted"},
        [XCS_METRIC_SERVER_CPU] = {"server.cpu",               "X CPU",                                "%",   XCS_BETTER_NONE, 1,
                           "execution time of all threads of the server (ns, from the "
                                   "scheduler) per time; 100 is one CPU"                                                                                                              },
        [XCS_METRIC_SERVER_RUN_DELAY] = {"server.run_delay",         "X run-queue delay",                    "us",
                           XCS_BETTER_LESS,                                                                            1,
                           "time the server was runnable but not running, per "
                                         "timeslice (schedstat)"                                                                                                                      },
        [XCS_METRIC_SERVER_RUN_DELAY_PCT] = {"server.run_delay_pct",     "X run-queue delay",                    "%",
                           XCS_BETTER_LESS,                                                                            1,
                           "time the server was runnable but not running, of "
                                             "the time measured (schedstat)"                                                                                                          },
        [XCS_METRIC_SERVER_TIMESLICES] = {"server.timeslices",        "X timeslices",                         "1/s",
                           XCS_BETTER_NONE,                                                                            0,
                           "times per second that the server was put on a CPU "
                                          "(schedstat)"                                                                                                                               },
        [XCS_METRIC_SERVER_MIGRATIONS] = {"server.migrations",        "X migrations",                         "1/s",
                           XCS_BETTER_LESS,                                                                            1,
                           "moves of the server's threads between CPUs"                                                                                                               },
        [XCS_METRIC_COMPOSITOR_VCS] = {"compositor.vcs",           "compositor voluntary switches",        "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.vcs, of the compositor"                          },
        [XCS_METRIC_COMPOSITOR_ICS] = {"compositor.ics",           "compositor involuntary switches",      "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.ics, of the compositor"                          },
        [XCS_METRIC_COMPOSITOR_CPU] = {"compositor.cpu",           "compositor CPU",                       "%",   XCS_BETTER_NONE, 1,
                           "as server.cpu, of the compositor"                                                                                                                         },
        [XCS_METRIC_COMPOSITOR_RUN_DELAY] = {"compositor.run_delay",     "compositor run-queue delay",
                           "us",                                                                      XCS_BETTER_LESS, 1,
                           "as server.run_delay, of the compositor"                                                                                                                   },
        [XCS_METRIC_COMPOSITOR_RUN_DELAY_PCT] = {"compositor.run_delay_pct",
                           "compositor run-queue delay",                                       "%",   XCS_BETTER_LESS,
                           1,                                                                                             "as server.run_delay_pct, of the compositor"                },
        [XCS_METRIC_CLIENT_VCS] = {"client.vcs",               "client voluntary switches",            "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.vcs, summed over the clients"                    },
        [XCS_METRIC_CLIENT_ICS] = {"client.ics",               "client involuntary switches",          "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.ics, summed over the clients"                    },
        [XCS_METRIC_CLIENT_CPU] = {"client.cpu",               "client CPU",                           "%",   XCS_BETTER_NONE, 1,
                           "as server.cpu, mean over the clients: per cent of one CPU "
                                   "that each used"                                                                                                                                   },
        [XCS_METRIC_FEEDER_VCS] = {"feeder.vcs",               "feeder voluntary switches",            "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.vcs, summed over the feeders"                    },
        [XCS_METRIC_FEEDER_ICS] = {"feeder.ics",               "feeder involuntary switches",          "1/s",
                           XCS_BETTER_NONE,                                                                            0, "as server.ics, summed over the feeders"                    },
        [XCS_METRIC_FEEDER_CPU] = {"feeder.cpu",               "feeder CPU",                           "%",   XCS_BETTER_NONE, 1,
                           "as server.cpu, mean over the feeders"                                                                                                                     },
        [XCS_METRIC_LINES] = {"lines",                    "lines",                                "1/s", XCS_BETTER_MORE, 0,
                           "lines that all feeders together wrote to their terminals; where a "
                              "feeder does not count, lines that the clients drew or read"                                                                                            },
        [XCS_METRIC_LINES_PER_CLIENT] = {"lines_per_client",         "lines per client",                     "1/s",
                           XCS_BETTER_MORE,                                                                            0, "lines, mean over the clients"                              },
        [XCS_METRIC_FRAMES] = {"frames",                   "frames",                               "Hz",  XCS_BETTER_MORE, 0,
                           "redraws of the text, summed over the clients, as the clients "
                               "count them"                                                                                                                                           },
        [XCS_METRIC_LINES_PER_FRAME] = {"lines_per_frame",          "lines per frame",                      "1",   XCS_BETTER_NONE,
                           1,                                                                                             "lines drawn per redraw of a client: 1 when each line is "
                                        "seen, more when a jump skips some"                                                                              },
        [XCS_METRIC_REQUESTS] = {"requests",                 "X requests",                           "1/s", XCS_BETTER_NONE, 0,
                           "X requests that all clients together sent, as they count them"                                                                                            },
        [XCS_METRIC_REQUESTS_PER_WAKEUP] = {"requests_per_wakeup",      "X requests per timeslice",             "1",
                           XCS_BETTER_NONE,                                                                            1,
                           "X requests sent per time that the server was put on "
                                            "a CPU: how much is batched"                                                                                                              },
        [XCS_METRIC_ROUND_TRIP] = {"round_trip",               "round trip",                           "us",  XCS_BETTER_LESS, 0,
                           "mean time that a client waited for a reply of the server"                                                                                                 },
        [XCS_METRIC_FAIRNESS] = {"fairness",                 "fairness",                             "1",   XCS_BETTER_MORE, 3,
                           "Jain's index of the clients' lines/s: 1 when all are served "
                                 "alike, 1/n when one gets all"                                                                                                                       },
        [XCS_METRIC_WATCHED_CPU] =
                {"watched_cpu",              "CPU of all watched",                   "%",   XCS_BETTER_NONE, 1,
                           "execution time of server, clients, feeders and what runs beside them, of "
                 "the load's CPUs"                                                                                                                                                    },
        [XCS_METRIC_FOREIGN_CPU] = {"foreign_cpu",              "foreign CPU",                          "%",   XCS_BETTER_LESS, 1,
                           "share of the load's CPUs that was neither idle (tick-sampled) "
                                    "nor used by a watched task: other processes, interrupts, "
                                    "steal"                                                                                                                                           },
        [XCS_METRIC_ACCT_ERROR] =
                {"acct_error",               "accounting error",                     "%",   XCS_BETTER_LESS, 1,
                           "CPU time of all watched tasks as the tick samples it (taskstats), less "
                 "their execution time, of the latter"                                                                                                                                },
        [XCS_METRIC_SERVER_ACCT_ERROR] = {"server.acct_error",        "X accounting error",                   "%",
                           XCS_BETTER_LESS,                                                                            1, "as acct_error, of the server"                              },
        [XCS_METRIC_CLIENT_ACCT_ERROR] = {"client.acct_error",        "client accounting error",              "%",
                           XCS_BETTER_LESS,                                                                            1,
                           "as acct_error, of all clients together"                                                                                                                   },
        [XCS_METRIC_FEEDER_ACCT_ERROR] = {"feeder.acct_error",        "feeder accounting error",              "%",
                           XCS_BETTER_LESS,                                                                            1,
                           "as acct_error, of all feeders together"                                                                                                                   },
        [XCS_METRIC_HOG_CPU] =
                {"hog.cpu",                  "busy loop CPU",                        "%",   XCS_BETTER_NONE, 1,
                           "as server.cpu, mean over the busy loops: per cent of one CPU that each got"                                                                               },
        [XCS_METRIC_HOG_CPU_MIN] = {"hog.cpu_min",              "busy loop CPU, least",                 "%",   XCS_BETTER_NONE, 1,
                           "as hog.cpu, of the busy loop that got least"                                                                                                              },
        [XCS_METRIC_HOG_CPU_MAX] = {"hog.cpu_max",              "busy loop CPU, most",                  "%",   XCS_BETTER_NONE, 1,
                           "as hog.cpu, of the busy loop that got most"                                                                                                               },
        [XCS_METRIC_HOG_FAIRNESS] = {"hog.fairness",             "busy loop fairness",                   "1",   XCS_BETTER_MORE, 3,
                           "Jain's index of the busy loops' CPU time: 1 when all get the "
                                     "same, 1/n when one gets all"                                                                                                                    },
        [XCS_METRIC_HOG_EXPECTED] =
                {"hog.expected",             "busy loop CPU expected",               "%",   XCS_BETTER_NONE, 1,
                           "share of a CPU that a fair scheduler gives each busy loop: its weight, of the "
                 "weights "
                 "of all that were runnable on the CPU. Of loops that is all of them; of the "
                 "server, the "
                 "clients and the feeders as many as were runnable on average (execution time and "
                 "run-queue delay per time). All are taken to be spread evenly over the load's "
                 "CPUs, and "
                 "weights to follow nice alone, or with autogroup to be one per session"                                                                                              },
        [XCS_METRIC_COMMAND_REAL] =
                {"command.real",             "elapsed time",                         "s",   XCS_BETTER_LESS, 3,
                           "from the start of the command to its end; of a trial the median of its runs"                                                                              },
        [XCS_METRIC_COMMAND_USER] =
                {"command.user",             "user time",                            "s",   XCS_BETTER_NONE, 3,
                           "CPU time of the command in user mode, with the children that it waited for"                                                                               },
        [XCS_METRIC_COMMAND_SYS] =
                {"command.sys",              "system time",                          "s",   XCS_BETTER_NONE, 3,
                           "CPU time of the command in the kernel, with the children that it waited for"                                                                              },
        [XCS_METRIC_COMMAND_CPU] =
                {"command.cpu",              "command CPU",                          "%",   XCS_BETTER_NONE, 2,
                           "user and system time of the command per elapsed time; 100 is one CPU"                                                                                     },
        [XCS_METRIC_COMMAND_DRAINED] = {"command.drained",          "drained",                              "s",   XCS_BETTER_LESS, 3,
                           "from the start of the command until the terminal had "
                                        "taken all its output from the pty"                                                                                                           },
        [XCS_METRIC_COMMAND_DRAWN] = {"command.drawn",            "drawn",                                "s",   XCS_BETTER_LESS, 3,
                           "from the start of the command until the terminal answered a "
                                      "device status request behind its last byte"                                                                                                    },
        [XCS_METRIC_COMMAND_LINES] = {"command.lines",            "lines of the command",                 "1/s",
                           XCS_BETTER_MORE,                                                                            0,
                           "lines that the command wrote, per time until they were "
                                      "drawn, or where that is not known until its end"                                                                                               },
        [XCS_METRIC_SLOWDOWN] =
                {"slowdown",                 "slowdown by the terminal",             "x",   XCS_BETTER_LESS, 2,
                           "elapsed time of a command in a terminal, of its elapsed time into a pipe"                                                                                 },
        [XCS_METRIC_BUILD_FILES] = {"build.files",              "files compiled",                       "1/s", XCS_BETTER_MORE, 1,
                           "C files that the build beside the load compiled"                                                                                                          },
        [XCS_METRIC_BUILD_CPU] = {"build.cpu",                "build CPU",                            "%",   XCS_BETTER_NONE, 1,
                           "execution time of the build, and of its compilers by wait4(2), "
                                  "in which each counts "
                                  "when it ends; 100 is one CPU"                                                                                                                      },
        [XCS_METRIC_BUILD_CPU_PER_FILE] = {"build.cpu_per_file",       "CPU per file",                         "ms",
                           XCS_BETTER_LESS,                                                                            1,
                           "CPU time of the compilers per file compiled"                                                                                                              },
        [XCS_METRIC_KEYS_SENT] = {"keys.sent",                "keys typed",                           "1/s", XCS_BETTER_NONE, 1,
                           "keys sent to the terminal that is typed into"                                                                                                             },
        [XCS_METRIC_KEYS] = {"keys",                     "keys echoed",                          "1/s", XCS_BETTER_MORE, 1,
                           "keys that the program in that terminal read and wrote back"                                                                                               },
        [XCS_METRIC_OBSERVER_CPU] = {"observer_cpu",             "observer CPU",                         "%",   XCS_BETTER_LESS, 2,
                           "CPU time of the sampler itself; 100 is one CPU"                                                                                                           },
        [XCS_METRIC_OBSERVER_CS] = {"observer_cs",              "observer switches",                    "1/s", XCS_BETTER_LESS, 1,
                           "voluntary and involuntary switches of the sampler itself"                                                                                                 },
};

const struct xcs_metric *xcs_metric(enum xcs_metric_id id)
{
	return &metrics[id];
}

int xcs_metric_find(const char *id)
{
	for (int i = 0; i < XCS_N_METRICS; i++)
		if (strcmp(metrics[i].id, id) == 0)
			return i;
	return -1;
}
