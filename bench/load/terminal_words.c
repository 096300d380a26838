/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/terminal_words.h>

#include <common/alloc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char placeholders[] = "{geometry}, {columns}, {rows}, {x}, {y}, {name}, {scroll}, "
                                   "{command} and {command_string}";

/* A template while it is read. */
struct reading {
	const char *at;
	const struct terminal_values *values;
	struct xcs_buf word;
	bool has_word; /* also an empty one, of '' */
	bool has_command;
};

static void add_word(struct terminal_words *w, char *owned)
{
	w->v = xcs_xgrow(w->v, w->n + 1, &w->cap, sizeof(*w->v));
	w->v[w->n++] = owned;
	w->v[w->n] = NULL;
}

static void end_word(struct terminal_words *w, struct reading *r)
{
	if (!r->has_word)
		return;
	char *word = xcs_buf_take(&r->word);
	add_word(w, word ? word : xcs_xstrdup(""));
	r->has_word = false;
}

static void add_command_string(struct reading *r)
{
	for (size_t i = 0; r->values->command[i]; i++) {
		if (i)
			xcs_buf_putc(&r->word, ' ');
		xcs_buf_quote(&r->word, r->values->command[i]);
	}
	r->has_command = true;
}

/* Fills in what stands for a part of a word; false when the name is none of these. */
static bool add_value(struct reading *r, struct xcs_str name)
{
	const struct terminal_values *v = r->values;
	const struct {
		const char *name;
		int value;
	} numbers[] = {
	        {"columns", v->columns},
                {"rows",    v->rows   },
                {"x",       v->x_px   },
                {"y",       v->y_px   }
        };

	r->has_word = true;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (xcs_str_is(name, numbers[i].name)) {
			xcs_buf_printf(&r->word, "%d", numbers[i].value);
			return true;
		}
	if (xcs_str_is(name, "name"))
		xcs_buf_puts(&r->word, v->name);
	else if (xcs_str_is(name, "scroll"))
		xcs_buf_puts(&r->word, v->line_scroll ? "+j" : "-j");
	else if (xcs_str_is(name, "command_string"))
		add_command_string(r);
	else
		return false;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Those that stand for several words; the template must have them as a word. */
static int add_words(struct terminal_words *w, struct reading *r, struct xcs_str name,
                     const char *end, struct xcs_err *err)
{
	const struct terminal_values *v = r->values;
	bool geometry = xcs_str_is(name, "geometry");

	if (r->has_word || (*end && !is_blank(*end)))
		return xcs_err_set(err, -EINVAL,
		                   "--terminal: {%.*s} stands for several words, so it must be a "
		                   "word of its own; inside a word there is %s",
		                   (int)name.n, name.p,
		                   geometry ? "{columns}x{rows}+{x}+{y}" : "{command_string}");
	if (geometry) {
		add_word(w, xcs_xstrdup("-geometry"));
		add_word(w, xcs_xasprintf("%dx%d+%d+%d", v->columns, v->rows, v->x_px, v->y_px));
		return 0;
	}
	for (size_t i = 0; v->command[i]; i++)
		add_word(w, xcs_xstrdup(v->command[i]));
	r->has_command = true;
	return 0;
}

/* At a brace. One that holds no name is a character as any other. */
static int take_placeholder(struct terminal_words *w, struct reading *r, bool quoted,
                            struct xcs_err *err)
{
	size_t n = strspn(r->at + 1, "abcdefghijklmnopqrstuvwxyz_");
	struct xcs_str name = {r->at + 1, n};

	if (n == 0 || r->at[1 + n] != '}') {
		xcs_buf_putc(&r->word, *r->at++);
		r->has_word = true;
		return 0;
	}
	r->at += n + 2;
	if (xcs_str_is(name, "geometry") || xcs_str_is(name, "command"))
		return add_words(w, r, name, quoted ? "x" : r->at, err);
	if (add_value(r, name))
		return 0;
	return xcs_err_set(err, -EINVAL, "--terminal: there is no placeholder {%.*s}, only %s",
	                   (int)n, name.p, placeholders);
}

/* At an opening quote: takes all up to the closing one. In double quotes a backslash keeps
 * the quote and itself. */
static int take_quoted(struct terminal_words *w, struct reading *r, struct xcs_err *err)
{
	const char *start = r->at;
	char quote = *r->at++;
	int rc = 0;

	r->has_word = true;
	while (rc == 0 && *r->at && *r->at != quote) {
		if (quote == '"' && *r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\'))
			r->at++;
		else if (*r->at == '{') {
			rc = take_placeholder(w, r, true, err);
			continue;
		}
		xcs_buf_putc(&r->word, *r->at++);
	}
	if (rc == 0 && *r->at++ != quote)
		rc = xcs_err_set(err, -EINVAL, "--terminal: the quote at %.20s is not closed",
		                 start);
	return rc;
}

static int take_next(struct terminal_words *w, struct reading *r, struct xcs_err *err)
{
	if (*r->at == '\'' || *r->at == '"')
		return take_quoted(w, r, err);
	if (*r->at == '{')
		return take_placeholder(w, r, false, err);
	if (is_blank(*r->at)) {
		end_word(w, r);
		r->at++;
		return 0;
	}
	if (*r->at == '\\' && r->at[1])
		r->at++;
	xcs_buf_putc(&r->word, *r->at++);
	r->has_word = true;
	return 0;
}

int terminal_words_make(struct terminal_words *w, const char *pattern,
                        const struct terminal_values *values, struct xcs_err *err)
{
	struct reading r = {.at = pattern, .values = values};
	size_t n_command = 0;
	int rc = 0;

	*w = (struct terminal_words){0};
	while (values->command[n_command])
		n_command++;
	while (rc == 0 && *r.at && w->n <= TERMINAL_WORDS_MAX + n_command)
		rc = take_next(w, &r, err);
	end_word(w, &r);
	xcs_buf_fini(&r.word);
	if (rc)
		return rc;
	if (w->n > TERMINAL_WORDS_MAX + n_command)
		return xcs_err_set(err, -EINVAL, "--terminal: the template has more than %d words",
		                   TERMINAL_WORDS_MAX);
	if (w->n == 0)
		return xcs_err_set(err, -EINVAL, "--terminal: the template is empty");
	if (!r.has_command)
		return xcs_err_set(err, -EINVAL,
		                   "--terminal: the template does not say where the command goes; "
		                   "end it in -e {command}, or give the name of a terminal that "
		                   "xcsbench list terminals knows");
	return 0;
}

void terminal_words_fini(struct terminal_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct terminal_words){0};
}
