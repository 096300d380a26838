/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each fact means for a measurement: rows of facts, and what is to be found.
 */
#include "../../common/cmocka_test.h"

#include <doctor/doctor.h>

#include <common/alloc.h>
#include <common/str.h>

#include <stdlib.h>
#include <string.h>

static const struct doctor_finding *find(const struct doctor_findings *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->v[i].id, id) == 0)
			return &f->v[i];
	fail_msg("no check is called %s", id);
	return NULL;
}

/* "key=value" facts, separated by newlines. */
static void set_facts(struct xcs_facts *facts, const char *text)
{
	struct xcs_str rest = xcs_str(text), line, key;

	while (xcs_str_next_line(&rest, &line)) {
		if (!xcs_str_next_part(&line, '=', &key))
			continue;
		char *k = xcs_xasprintf("%.*s", (int)key.n, key.p);
		char *v = xcs_xasprintf("%.*s", (int)line.n, line.p);
		xcs_facts_set(facts, k, v, "a test");
		free(k);
		free(v);
	}
}

static const struct row {
	const char *facts, *id;
	enum doctor_state state;
	const char *says; /* a part of what was found or of its remedy; NULL: anything */
} rows[] = {
        {"",                                                                      "server",      DOCTOR_FAIL,    "no X server"        },
        {"server.kind=session\nserver.comm=Xorg\nserver.pid=7",                   "server",      DOCTOR_OK,      "pid 7)"             },
        {"server.kind=session\nserver.comm=Xorg\nserver.pid=7\nserver.user=root", "server",
         DOCTOR_OK,                                                                                              "pid 7, run by root)"},
        {"server.kind=session\nserver.comm=Xwayland\nserver.xwayland=yes",        "server",      DOCTOR_FAIL,
         "compositor"                                                                                                                 },
        {"",                                                                      "extensions",  DOCTOR_UNKNOWN, NULL                 },
        {"server.extensions=X-Resource, RANDR, XTEST, DAMAGE, RECORD, Present",   "extensions",
         DOCTOR_OK,                                                                                              NULL                 },
        {"server.extensions=X-Resource, RANDR, DAMAGE, RECORDS, Present",         "extensions",  DOCTOR_WARN,
         "lacks XTEST, RECORD; without XTEST input probes are n/a"                                                                    },
        {"server.compositor=yes\nserver.wm=Mutter",                               "compositor",  DOCTOR_WARN,    "Mutter"             },
        {"server.compositor=no",                                                  "compositor",  DOCTOR_OK,      NULL                 },
        {"server.screensaver_s=0\nserver.dpms=off",                               "saver",       DOCTOR_OK,      NULL                 },
        {"server.screensaver_s=0\nserver.dpms=on",                                "saver",       DOCTOR_WARN,    "xset"               },
        {"server.screensaver_s=600",                                              "saver",       DOCTOR_WARN,    "600 s"              },
        {"rights.backend=root\nrights.lowest_nice=-20\nrights.server_nice=-20",   "rights",      DOCTOR_OK,
         "by root"                                                                                                                    },
        {"rights.backend=sudo\nrights.lowest_nice=0\nrights.server_nice=-20",     "rights",      DOCTOR_OK,
         "run to 0"                                                                                                                   },
        {"rights.backend=sudo\nrights.lowest_nice=0\nrights.server_nice=-5",      "rights",      DOCTOR_WARN,
         "no lower"                                                                                                                   },
        {"rights.backend=sudo\nrights.lowest_nice=0\nrights.server=refused",      "rights",      DOCTOR_WARN,
         "refused"                                                                                                                    },
        {"rights.backend=none\nrights.lowest_nice=0\nrights.server=refused",      "rights",      DOCTOR_WARN,
         "server may not"                                                                                                             },
        {"rights.backend=none\nrights.lowest_nice=0\nrights.server=yes",          "rights",      DOCTOR_WARN,
         "nice 0"                                                                                                                     },
        {"rights.backend=root",                                                   "rights",      DOCTOR_UNKNOWN, NULL                 },
        {"rights.lowest_nice=-20",                                                "rights",      DOCTOR_UNKNOWN, NULL                 },
        {"server.cgroup=/a\nrunner.cgroup=/a\nsched.autogroup=0",                 "contention",  DOCTOR_OK,      NULL                 },
        {"server.cgroup=/a\nrunner.cgroup=/b\nsched.autogroup=0",                 "contention",  DOCTOR_WARN,
         "different cgroups"                                                                                                          },
        {"server.cgroup=/a\nrunner.cgroup=/a\nsched.autogroup=1",                 "contention",  DOCTOR_WARN,
         "autogroups are on"                                                                                                          },
        {"machine.virtual=yes",                                                   "virtual",     DOCTOR_WARN,    NULL                 },
        {"machine.virtual=no",                                                    "virtual",     DOCTOR_OK,      NULL                 },
        {"sched.class=sched_ext lavd",                                            "scheduler",   DOCTOR_WARN,    "lavd"               },
        {"sched.class=EEVDF\nkernel.hz=1000",                                     "scheduler",   DOCTOR_OK,      "HZ 1000"            },
        {"cpu.governor=performance",                                              "governor",    DOCTOR_OK,      NULL                 },
        {"cpu.governor=performance, powersave",                                   "governor",    DOCTOR_WARN,    "powersave"          },
        {"cpu.boost=1",                                                           "turbo",       DOCTOR_WARN,    NULL                 },
        {"cpu.no_turbo=1",                                                        "turbo",       DOCTOR_OK,      NULL                 },
        {"cpu.no_turbo=0",                                                        "turbo",       DOCTOR_WARN,    NULL                 },
        {"power.supply=AC connected",                                             "power",       DOCTOR_OK,      NULL                 },
        {"power.supply=AC not connected, BAT0 Discharging",                       "power",       DOCTOR_WARN,    "mains"              },
        {"thermal.throttles=0",                                                   "heat",        DOCTOR_OK,      NULL                 },
        {"thermal.throttles=12",                                                  "heat",        DOCTOR_WARN,    "12 times"           },
        {"cpu.steal_pct=0.9",                                                     "steal",       DOCTOR_OK,      NULL                 },
        {"cpu.steal_pct=1.1",                                                     "steal",       DOCTOR_WARN,    NULL                 },
        {"cpu.steal_pct=10.1",                                                    "steal",       DOCTOR_FAIL,    NULL                 },
        {"cpu.steal_pct=much",                                                    "steal",       DOCTOR_UNKNOWN, NULL                 },
        {"machine.clocksource=hpet",                                              "clocksource", DOCTOR_WARN,    NULL                 },
        {"machine.clocksource=tsc",                                               "clocksource", DOCTOR_OK,      NULL                 },
        {"pressure.cpu_pct=4.99",                                                 "pressure",    DOCTOR_OK,      NULL                 },
        {"pressure.cpu_pct=12.11",                                                "pressure",    DOCTOR_WARN,    "12.11"              },
        {"load.average=0.60 0 0 1/2 3\ncpu.online=0-1",                           "load",        DOCTOR_OK,      "2 CPUs"             },
        {"load.average=0.61 0 0 1/2 3\ncpu.online=0-1",                           "load",        DOCTOR_WARN,    NULL                 },
        {"load.average=0.61 0 0 1/2 3\ncpu.online=0,2-4",                         "load",        DOCTOR_OK,      "4 CPUs"             },
        {"memory.swap_used=100 kB",                                               "swap",        DOCTOR_OK,      NULL                 },
        {"memory.swap_used=900000 kB",                                            "swap",        DOCTOR_WARN,    NULL                 },
        {"disk.free_bytes=1000000000",                                            "disk",        DOCTOR_OK,      NULL                 },
        {"disk.free_bytes=100000000",                                             "disk",        DOCTOR_WARN,    NULL                 },
        {"disk.free_bytes=1000",                                                  "disk",        DOCTOR_FAIL,    NULL                 },
        {"daemons.running=none",                                                  "daemons",     DOCTOR_OK,      NULL                 },
        {"daemons.running=ananicy-cpp, tuned",                                    "daemons",     DOCTOR_WARN,    "tuned"              },
        {"",                                                                      "daemons",     DOCTOR_UNKNOWN, NULL                 },
        {"",                                                                      "hyperfine",   DOCTOR_WARN,    "not installed"      },
        {"hyperfine.version=hyperfine 1.12.9",                                    "hyperfine",   DOCTOR_WARN,    "too old"            },
        {"hyperfine.version=hyperfine 1.13.0",                                    "hyperfine",   DOCTOR_WARN,    "too old"            },
        {"hyperfine.version=hyperfine 1.14.0",                                    "hyperfine",   DOCTOR_OK,      NULL                 },
        {"hyperfine.version=hyperfine 2.0.0",                                     "hyperfine",   DOCTOR_OK,      NULL                 },
        {"hyperfine.version=what",                                                "hyperfine",   DOCTOR_WARN,    "no version"         },
        {"gnuplot.version=gnuplot 6.0",                                           "gnuplot",     DOCTOR_OK,      NULL                 },
        {"",                                                                      "xterm",       DOCTOR_WARN,    "--load=flood"       },
};

static void facts_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_run run = {0};
		struct doctor_findings found;
		set_facts(&run.environment, rows[i].facts);
		doctor_judge(&run, &found);
		const struct doctor_finding *f = find(&found, rows[i].id);
		if (f->state != rows[i].state)
			fail_msg("%s: %s: %s", rows[i].facts, doctor_state_name(f->state), f->what);
		bool said = !rows[i].says || strstr(f->what, rows[i].says) ||
		            (f->remedy && strstr(f->remedy, rows[i].says));
		if (!said)
			fail_msg("%s: '%s' says nothing of %s", rows[i].facts, f->what,
			         rows[i].says);
		doctor_fini(&found);
		xcs_run_fini(&run);
	}
}

static void the_probe_decides_about_renice(void **state)
{
	static const struct {
		const char *verdict;
		enum doctor_state state;
	} cases[] = {
	        {"effective",               DOCTOR_OK     },
	        {"ineffective (autogroup)", DOCTOR_FAIL   },
	        {"ignored (sched_ext)",     DOCTOR_FAIL   },
	        {"not probed",              DOCTOR_WARN   },
	        {NULL,                      DOCTOR_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct xcs_run run = {0};
		struct doctor_findings found;
		run.probe.verdict = cases[i].verdict ? xcs_xstrdup(cases[i].verdict) : NULL;
		doctor_judge(&run, &found);
		assert_int_equal(find(&found, "renice")->state, cases[i].state);
		doctor_fini(&found);
		xcs_run_fini(&run);
	}
}

/* Each finding names who told, and each that is no good says what to do. */
static void findings_are_whole(void **state)
{
	struct xcs_run run = {0};
	struct doctor_findings found;

	(void)state;
	set_facts(&run.environment, "cpu.governor=powersave");
	doctor_judge(&run, &found);
	assert_true(found.n > 20);
	for (size_t i = 0; i < found.n; i++) {
		assert_true(found.v[i].what[0] != '\0' && found.v[i].source[0] != '\0');
		if (found.v[i].state >= DOCTOR_WARN)
			assert_non_null(found.v[i].remedy);
	}
	assert_string_equal(find(&found, "governor")->source, "a test");
	assert_true(find(&found, "governor")->is_note);
	assert_int_equal(doctor_worst(&found), DOCTOR_FAIL);
	doctor_fini(&found);
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(facts_are_judged),
	        cmocka_unit_test(the_probe_decides_about_renice),
	        cmocka_unit_test(findings_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
