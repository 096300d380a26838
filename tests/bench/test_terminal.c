/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <load/terminal.h>
#include <load/terminal_words.h>

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static const char *const command[] = {"/opt/a b/feed", "--role", "it's", NULL};

static const struct terminal_values values = {
        .columns = 80, .rows = 2, .x_px = 640, .y_px = 512, .name = "client1", .command = command};

/* The words with a bar behind each; the sentence when there are none. */
static char *words_of(const char *pattern, const struct terminal_values *v)
{
	struct terminal_words w;
	struct xcs_buf text = {0};
	struct xcs_err err = {""};
	int rc = terminal_words_make(&w, pattern, v, &err);

	for (size_t i = 0; rc == 0 && i < w.n; i++)
		xcs_buf_printf(&text, "%s|", w.v[i]);
	if (rc == 0)
		assert_null(w.v[w.n]);
	else
		xcs_buf_puts(&text, err.text);
	terminal_words_fini(&w);
	return xcs_buf_take(&text);
}

static void test_templates_become_words(void **state)
{
#define FEED "/opt/a b/feed|--role|it's|"
	static const struct {
		const char *pattern, *words;
	} rows[] = {
	        {"t {command}",                             "t|" FEED                                      },
	        {"  t\t{geometry}  -e\n{command} ",         "t|-geometry|80x2+640+512|-e|" FEED            },
	        {"t -g={columns}x{rows}+{x}+{y} {command}", "t|-g=80x2+640+512|" FEED                      },
	        {"t -T {name} {scroll} {command} -x",       "t|-T|client1|-j|" FEED "-x|"                  },
	        {"t '' \"\" {command}",                     "t|||" FEED                                    },
	        {"t 'a  {name} b' {command}",               "t|a  client1 b|" FEED                         },
	        {"t \"say \\\"{name}\\\" \\x\" {command}",  "t|say \"client1\" \\x|" FEED                  },
	        {"t a\\ b \\{name\\} {command}",            "t|a b|{name}|" FEED                           },
	        {"t x'y'\"z\" {command}",                   "t|xyz|" FEED                                  },
	        {"t $HOME `id` ; {command}",                "t|$HOME|`id`|;|" FEED                         },
	        {"t { } {} {1} {Name} {command}",           "t|{|}|{}|{1}|{Name}|" FEED                    },
	        {"sh -c 'exec {command_string}'",           "sh|-c|exec '/opt/a b/feed' --role 'it'\\''s'|"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *got = words_of(rows[i].pattern, &values);
		assert_string_equal(got, rows[i].words);
		free(got);
	}
}

static void test_faults_are_one_sentence(void **state)
{
	static const struct {
		const char *pattern, *what;
	} rows[] = {
	        {"",	                 "is empty"	                        },
	        {"  ",	               "is empty"                                },
	        {"t -e",                     "where the command goes"                  },
	        {"t {colums} {command}",     "no placeholder {colums}, only {geometry}"},
	        {"t 'a {name}",              "the quote at 'a {name} is not closed"    },
	        {"t \"a",                    "the quote at \"a is not closed"          },
	        {"t -c={command}",           "{command} stands for several words"      },
	        {"t {command}x",             "{command} stands for several words"      },
	        {"t '{command}'",            "{command_string}"                        },
	        {"t -g{geometry} {command}", "{columns}x{rows}+{x}+{y}"                },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *got = words_of(rows[i].pattern, &values);
		if (!strstr(got, rows[i].what) || strchr(got, '\n'))
			fail_msg("'%s': %s", rows[i].pattern, got);
		free(got);
	}
}

static void test_a_template_has_a_limit(void **state)
{
	struct xcs_buf template = {0};

	(void)state;
	for (int i = 0; i < TERMINAL_WORDS_MAX; i++)
		xcs_buf_puts(&template, "w ");
	xcs_buf_puts(&template, "{command}");
	char *got = words_of(template.p, &values);
	assert_non_null(strstr(got, FEED));
	free(got);
	xcs_buf_puts(&template, " one more");
	got = words_of(template.p, &values);
	assert_non_null(strstr(got, "more than 64 words"));
	free(got);
	xcs_buf_fini(&template);
}

static void test_every_ready_template_is_whole(void **state)
{
	const struct terminal *t;

	(void)state;
	for (size_t i = 0; (t = terminal_row(i)); i++) {
		assert_ptr_equal(terminal_by_name(t->name), t);
		assert_true(t->unpinned[0] && t->package[0] && t->version_option[0]);
		if (!t->pattern)
			continue;
		assert_ptr_equal(terminal_by_template(t->pattern), t);
		char *got = words_of(t->pattern, &values);
		if (!strstr(got, FEED) || !strstr(got, "client1"))
			fail_msg("%s: %s", t->name, got);
		assert_true(!t->is_placed || strstr(got, "640"));
		assert_true(t->cell_width_px > 0 && t->cell_height_px > 0);
		free(got);
	}
	assert_null(terminal_by_name("nosuch"));
}

static struct xcs_run_load load_of(const char *kind, const char *feeder, const char *scroll)
{
	return (struct xcs_run_load){.kind = xcs_xstrdup(kind),
	                             .feeder = xcs_xstrdup(feeder),
	                             .scroll = xcs_xstrdup(scroll),
	                             .label = xcs_xstrdup("xterm -e true")};
}

static void load_fini(struct xcs_run_load *load)
{
	free(load->kind), free(load->feeder), free(load->scroll);
	free(load->label), free(load->terminal);
}

static void test_only_xterm_is_replaced(void **state)
{
	struct xcs_err err = {""};

	(void)state;
	struct xcs_run_load load = load_of("flood", "lines", "jump");
	assert_int_equal(terminal_apply(&load, "sh -c {command_string}", &err), 0);
	assert_null(load.terminal);
	load_fini(&load);
	load = load_of("xterm", "lines", "jump");
	assert_int_equal(terminal_apply(&load, "xterm", &err), 0);
	assert_null(load.terminal);
	assert_int_equal(terminal_apply(&load, "sh -c {command_string}", &err), 0);
	assert_string_equal(load.kind, "terminal");
	assert_string_equal(load.terminal, "sh -c {command_string}");
	assert_string_equal(load.label, "terminal -e true");
	load_fini(&load);
}

static void test_what_cannot_work_is_refused(void **state)
{
	static const struct {
		const char *text, *feeder, *scroll, *what;
	} rows[] = {
	        {"foot",                      "lines", "jump", "Wayland"        },
	        {"no-such-program {command}", "lines", "jump", "no-such-program"},
	        {"sh -c {command_string}",    "lines", "line", "--scroll=jump"  },
	        {"gnome-terminal",            "yes",   "jump", "--feeder=lines" },
	};
	struct xcs_err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_run_load load = load_of("xterm", rows[i].feeder, rows[i].scroll);
		assert_true(terminal_apply(&load, rows[i].text, &err) < 0);
		if (!strstr(err.text, rows[i].what))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_string_equal(load.kind, "xterm");
		load_fini(&load);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_templates_become_words),
	        cmocka_unit_test(test_faults_are_one_sentence),
	        cmocka_unit_test(test_a_template_has_a_limit),
	        cmocka_unit_test(test_every_ready_template_is_whole),
	        cmocka_unit_test(test_only_xterm_is_replaced),
	        cmocka_unit_test(test_what_cannot_work_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
