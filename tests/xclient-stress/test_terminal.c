/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the terminal and of the feeder that need neither a server nor a pty.
 */
#include "cmocka_test.h"

#include <common/buf.h>
#include <string.h>
#include <terminal/emu.h>
#include <terminal/feed_lines.h>
#include <terminal/feed_tty.h>
#include <terminal/grid.h>

/* Writes down what the emulation calls: runs in brackets, controls by letter. */
static void on_text(void *data, const char *run, size_t n)
{
	xcs_buf_puts(data, "[");
	xcs_buf_add(data, run, n);
	xcs_buf_puts(data, "]");
}

static void on_control(void *data, char c)
{
	xcs_buf_putc(data, c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 'b');
}

static void on_query(void *data, enum emu_query query)
{
	xcs_buf_puts(data, query == EMU_STATUS ? "<status>" : "<position>");
}

static const struct emu_ops ops = {on_text, on_control, on_query};

static const struct emu_case {
	const char *name, *bytes, *calls;
} emu_cases[] = {
        {"text and controls",                "ab\r\ncd\t\b",            "[ab]rn[cd]tb"    },
        {"status",                           "\033[5n",                 "<status>"        },
        {"position",                         "x\033[6ny",               "[x]<position>[y]"},
        {"private query is skipped",         "\033[?6n",                ""                },
        {"other number is skipped",          "\033[55n",                ""                },
        {"huge number is skipped",           "\033[99999999999999995n", ""                },
        {"colour is skipped",                "\033[1;31mred\033[0m",    "[red]"           },
        {"control inside a sequence",        "\033[3\r1mx",             "r[x]"            },
        {"title ended by BEL",               "\033]0;title\007x",       "[x]"             },
        {"title ended by ST",                "\033]0;title\033\\x",     "[x]"             },
        {"escape in a title",                "\033]0;a\033b\007x",      "[x]"             },
        {"character set",                    "\033(Bx",                 "[x]"             },
        {"two-byte escape",                  "\033Mx",                  "[x]"             },
        {"escape begins anew",               "\033\033[5n",             "<status>"        },
        {"escape in a sequence begins anew", "\033[3\033[5n",           "<status>"        },
        {"one mark per character",           "a\303\251\342\202\254b",  "[a][?][?][b]"    },
        {"NUL, DEL and BEL are nothing",     "a\177\007b",              "[a][b]"          },
};

static void the_emulation_reads_what_terminals_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(emu_cases) / sizeof(emu_cases[0]); i++) {
		const struct emu_case *c = &emu_cases[i];
		struct emu emu = {0};
		struct xcs_buf calls = {0};
		print_message("%s\n", c->name);
		emu_feed(&emu, c->bytes, strlen(c->bytes), &ops, &calls);
		assert_string_equal(calls.n ? calls.p : "", c->calls);
		assert_int_equal(emu.state, EMU_GROUND);
		xcs_buf_fini(&calls);
	}
}

/* Without brackets: runs are cut where reads are. */
static void join_runs(struct xcs_buf *calls)
{
	size_t n = 0;

	for (size_t i = 0; i < calls->n; i++)
		if (calls->p[i] != '[' && calls->p[i] != ']')
			calls->p[n++] = calls->p[i];
	calls->n = n;
	xcs_buf_putc(calls, '\0');
}

static void sequences_may_be_cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(emu_cases) / sizeof(emu_cases[0]); i++) {
		const struct emu_case *c = &emu_cases[i];
		struct xcs_buf whole = {0}, bytewise = {0};
		struct emu emu = {0};
		xcs_buf_puts(&whole, c->calls);
		for (size_t k = 0; k < strlen(c->bytes); k++)
			emu_feed(&emu, c->bytes + k, 1, &ops, &bytewise);
		join_runs(&whole);
		join_runs(&bytewise);
		assert_string_equal(bytewise.p, whole.p);
		xcs_buf_fini(&whole);
		xcs_buf_fini(&bytewise);
	}
}

static void put(struct grid *g, const char *text)
{
	assert_int_equal(grid_put(g, text, strlen(text)), strlen(text));
}

static void assert_row(const struct grid *g, int row, const char *text)
{
	const char *cells = grid_row(g, row);
	size_t n = strlen(text);

	assert_memory_equal(cells, text, n);
	for (size_t i = n; i < (size_t)g->n_columns; i++)
		assert_int_equal(cells[i], ' ');
}

static void the_grid_scrolls_at_its_last_row(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 2, 10);
	put(&g, "one");
	grid_carriage_return(&g);
	assert_false(grid_line_feed(&g));
	put(&g, "two");
	grid_carriage_return(&g);
	assert_true(grid_line_feed(&g));
	put(&g, "three");
	assert_row(&g, 0, "two");
	assert_row(&g, 1, "three");
	grid_fini(&g);
	grid_fini(&g);
}

static void a_full_row_wraps_with_the_next_character_only(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 2, 4);
	assert_int_equal(grid_put(&g, "abcdef", 6), 4);
	assert_true(g.wrap_pending);
	assert_int_equal(g.column, 3);
	grid_carriage_return(&g);
	assert_false(g.wrap_pending);
	assert_false(grid_line_feed(&g));
	assert_int_equal(g.row, 1);
	grid_fini(&g);
}

static void tabs_and_backspaces_stay_in_the_row(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 1, 20);
	grid_backspace(&g);
	assert_int_equal(g.column, 0);
	grid_tab(&g);
	assert_int_equal(g.column, 8);
	grid_tab(&g);
	grid_tab(&g);
	assert_int_equal(g.column, 19);
	grid_backspace(&g);
	assert_int_equal(g.column, 18);
	grid_fini(&g);
}

static void resizing_keeps_the_text_around_the_cursor(void **state)
{
	struct grid g;

	(void)state;
	grid_init(&g, 3, 10);
	for (int i = 0; i < 5; i++) {
		put(&g, i == 4 ? "last" : "text");
		grid_carriage_return(&g);
		if (i < 4)
			grid_line_feed(&g);
	}
	grid_resize(&g, 1, 4);
	assert_row(&g, 0, "last");
	assert_int_equal(g.row, 0);
	grid_resize(&g, 4, 12);
	assert_row(&g, 0, "last");
	assert_row(&g, 3, "");
	put(&g, "LAST and on");
	assert_row(&g, 0, "LAST and on");
	grid_fini(&g);
}

static uint64_t number_of(const struct feed_lines *f, size_t i)
{
	const char *line = f->block + i * f->n_columns;
	size_t n = f->n_columns - 1, n_seen = n < 19 ? n : 19;
	struct xcs_str digits = {line + n - n_seen, n_seen};
	uint64_t number = 0;

	assert_int_equal(xcs_str_u64(digits, &number), 0);
	assert_int_equal(line[n], '\n');
	return number;
}

static void lines_are_numbered_without_a_gap(void **state)
{
	/* In two bytes there is room for one digit, in five for four. */
	static const struct {
		size_t width;
		uint64_t modulus;
	} cases[] = {
	        {FEED_COLUMNS_MIN, 10        },
                {5,                10000     },
                {9,                100000000 },
	        {80,               UINT64_MAX},
                {132,              UINT64_MAX},
                {FEED_COLUMNS_MAX, UINT64_MAX}
        };
	struct feed_lines f;

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		uint64_t want = 0;
		feed_lines_init(&f, cases[k].width);
		assert_true(feed_lines_bytes(&f) <= FEED_BLOCK_BYTES);
		for (int block = 0; block < 50; block++) {
			for (size_t i = 0; i < f.n_lines; i++)
				assert_int_equal(number_of(&f, i), ++want % cases[k].modulus);
			feed_lines_next(&f);
		}
	}
}

static void the_answer_is_found_in_pieces_and_among_keys(void **state)
{
	static const char input[] = "x\033[\033[1;\033[12;\033[24;80R";
	unsigned at = 0;

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(input); i++)
		assert_false(feed_tty_is_answer(&at, input + i, 1));
	assert_true(feed_tty_is_answer(&at, "R", 1));
	assert_false(feed_tty_is_answer(&at, "\033[3R", 4));
	assert_true(feed_tty_is_answer(&at, "\033[1;1Rrest", 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_emulation_reads_what_terminals_read),
	        cmocka_unit_test(sequences_may_be_cut_anywhere),
	        cmocka_unit_test(the_grid_scrolls_at_its_last_row),
	        cmocka_unit_test(a_full_row_wraps_with_the_next_character_only),
	        cmocka_unit_test(tabs_and_backspaces_stay_in_the_row),
	        cmocka_unit_test(resizing_keeps_the_text_around_the_cursor),
	        cmocka_unit_test(lines_are_numbered_without_a_gap),
	        cmocka_unit_test(the_answer_is_found_in_pieces_and_among_keys),
	};

	return cmocka_run_group_tests_name("xclient-stress-terminal", tests, NULL, NULL);
}
