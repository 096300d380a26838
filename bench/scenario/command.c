/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <scenario/command.h>

#include <common/alloc.h>
#include <common/buf.h>

#include <stdlib.h>
#include <string.h>

enum {
	GROW_MAX = 1000,
	COUNT_MAX = 1000000000
};

enum placeholder {
	PLACE_DIR,
	PLACE_DIRS,
	PLACE_COUNT,
	PLACE_NONE
};

static const char *const places[] = {"{dir}", "{dirs}", "{count}"};

static enum placeholder starts_with(const char *at)
{
	int p = 0;

	while (p < PLACE_NONE && strncmp(at, places[p], strlen(places[p])))
		p++;
	return (enum placeholder)p;
}

bool command_needs_tree(const char *text)
{
	return text && (strstr(text, places[PLACE_DIR]) || strstr(text, places[PLACE_DIRS]));
}

bool command_has_count(const char *text)
{
	return text && (strstr(text, places[PLACE_COUNT]) || strstr(text, places[PLACE_DIRS]));
}

/* Who runs the words themselves takes them for what they are; all that is left is a shell's. */
static bool needs_shell(const char *text)
{
	return strpbrk(text, "|&;<>()$`\\*?[]#~=!{}\n") != NULL;
}

void command_add_words(struct xcs_buf *b, const char *text)
{
	if (!needs_shell(text)) {
		xcs_buf_puts(b, text);
		return;
	}
	xcs_buf_puts(b, "sh -c ");
	xcs_buf_quote(b, text);
}

static void add_place(struct xcs_buf *b, enum placeholder place, const char *dir, int count)
{
	if (place == PLACE_COUNT) {
		xcs_buf_printf(b, "%d", count);
		return;
	}
	int n = place == PLACE_DIRS && count > 0 ? count : 1;
	for (int i = 0; i < n; i++) {
		if (i)
			xcs_buf_putc(b, ' ');
		xcs_buf_quote(b, dir ? dir : ".");
	}
}

char *command_expand_dup(const char *text, const char *dir, int count)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "");
	while (*text) {
		enum placeholder p = starts_with(text);
		if (p == PLACE_NONE) {
			xcs_buf_putc(&b, *text++);
			continue;
		}
		add_place(&b, p, dir, count);
		text += strlen(places[p]);
	}
	return xcs_buf_take(&b);
}

void commands_init(struct commands *c, const struct xcs_run *run)
{
	*c = (struct commands){.texts = xcs_xcalloc(run->n_loads + 1, sizeof(*c->texts)),
	                       .labels = xcs_xcalloc(run->n_loads + 1, sizeof(*c->labels)),
	                       .n = run->n_loads};
	for (size_t i = 0; i < run->n_loads; i++) {
		const struct xcs_run_load *load = &run->loads[i];
		if (load->command)
			c->texts[i] = xcs_xstrdup(load->command);
		if (load->label)
			c->labels[i] = xcs_xstrdup(load->label);
	}
}

void commands_fini(struct commands *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->texts[i]);
		free(c->labels[i]);
	}
	free(c->texts);
	free(c->labels);
	*c = (struct commands){0};
}

void commands_expand(const struct commands *c, struct xcs_run *run, size_t i)
{
	struct xcs_run_load *load = &run->loads[i];

	if (!c->texts[i])
		return;
	free(load->command);
	load->command = command_expand_dup(c->texts[i], run->tree.path, load->count);
	if (!c->labels[i])
		return;
	free(load->label);
	load->label = command_expand_dup(c->labels[i], "DIR", load->count);
}

void commands_set_count(const struct commands *c, struct xcs_run *run, size_t i, int count)
{
	const char *id = run->loads[i].id;

	for (size_t l = 0; l < run->n_loads; l++) {
		const char *of = run->loads[l].pipe_of;
		if (l != i && !(of && strcmp(of, id) == 0))
			continue;
		run->loads[l].count = count;
		commands_expand(c, run, l);
	}
}

size_t commands_bytes(const struct commands *c, const struct xcs_run *run, size_t i, int count)
{
	char *text = command_expand_dup(c->texts[i], run->tree.path, count);
	size_t n = strlen(text);

	free(text);
	return n;
}

int command_scale(int count, int64_t took_ns, int64_t want_ns)
{
	double times = took_ns > 0 ? (double)want_ns / (double)took_ns : GROW_MAX;

	if (times <= 1)
		return count;
	if (times > GROW_MAX)
		times = GROW_MAX;
	double scaled = (double)count * times;
	if (scaled >= COUNT_MAX)
		return COUNT_MAX;
	return (int)scaled + 1;
}
