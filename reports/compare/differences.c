/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Differences of the environment in words.
 */
#include "compare_private.h"
#include "facts.h"

#include <common/alloc.h>
#include <common/buf.h>
#include <common/str.h>

#include <stdlib.h>
#include <string.h>

#define LONG_VALUE 48

static bool has_value(const struct xcs_known_fact *f, const char *value)
{
	for (size_t i = 0; i < f->n_values; i++)
		if (fact_same_value(f->key, f->values[i], value))
			return true;
	return false;
}

static bool same_values(const struct xcs_known_fact *a, const struct xcs_known_fact *b)
{
	for (size_t i = 0; i < a->n_values; i++)
		if (!has_value(b, a->values[i]))
			return false;
	return a->n_values == b->n_values;
}

/* What is unknown in a group is no difference that anybody has seen. */
static bool differs(const struct xcs_campaign *c, const char *key, bool within_too)
{
	const struct xcs_known_fact *first = NULL;

	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f = xcs_campaign_fact(&c->groups[g], key);
		if (!f)
			continue;
		if (within_too && f->n_values > 1)
			return true;
		if (first && !same_values(first, f))
			return true;
		first = first ? first : f;
	}
	return false;
}

static bool next_item(struct xcs_str *rest, struct xcs_str *word)
{
	do
		if (!xcs_str_next_word(rest, word))
			return false;
	while (word->n == 1 && (word->p[0] == ',' || word->p[0] == ';'));
	while (word->n > 1 && (word->p[word->n - 1] == ',' || word->p[word->n - 1] == ';'))
		word->n--;
	return true;
}

static bool lists(const char *text, struct xcs_str word)
{
	struct xcs_str rest = xcs_str(text), other;

	while (next_item(&rest, &other))
		if (other.n == word.n && memcmp(other.p, word.p, word.n) == 0)
			return true;
	return false;
}

static bool all_list(const struct xcs_campaign *c, const char *key, struct xcs_str word)
{
	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f = xcs_campaign_fact(&c->groups[g], key);
		for (size_t i = 0; f && i < f->n_values; i++)
			if (!lists(f->values[i], word))
				return false;
	}
	return true;
}

/* Of a long list, such as a command line of the kernel, what the others do not all have. */
static void put_own_words(struct xcs_buf *b, const struct xcs_campaign *c, const char *key,
                          const char *value)
{
	struct xcs_str rest = xcs_str(value), word;
	bool any = false;

	while (next_item(&rest, &word)) {
		if (all_list(c, key, word))
			continue;
		xcs_buf_printf(b, "%s%.*s", any ? " " : "...", (int)word.n, word.p);
		any = true;
	}
	xcs_buf_puts(b, any ? "..." : "nothing more");
}

static bool is_long_list(const struct xcs_campaign *c, const char *key)
{
	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f = xcs_campaign_fact(&c->groups[g], key);
		for (size_t i = 0; f && i < f->n_values; i++)
			if (strlen(f->values[i]) > LONG_VALUE && strchr(f->values[i], ' '))
				return true;
	}
	return false;
}

static char *difference_dup(const struct xcs_campaign *c, const char *key)
{
	bool words = is_long_list(c, key);
	struct xcs_buf b = {0};

	xcs_buf_printf(&b, "%s:", key);
	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f = xcs_campaign_fact(&c->groups[g], key);
		xcs_buf_printf(&b, "%s %s ", g ? ";" : "", c->groups[g].key);
		for (size_t i = 0; f && i < f->n_values; i++) {
			xcs_buf_puts(&b, i ? " or " : "");
			if (words)
				put_own_words(&b, c, key, f->values[i]);
			else
				xcs_buf_puts(&b, f->values[i]);
		}
		xcs_buf_puts(&b, f ? "" : "n/a");
	}
	return xcs_buf_take(&b);
}

static bool is_varied(const struct xcs_comparison *x, const char *key)
{
	const char *variable = x->settings.variable;

	return variable ? strcmp(variable, key) == 0 : fact_is_kernel(key);
}

/* With another variable under test, the kernel is what must be alike. */
static bool is_hard(const struct xcs_comparison *x, const struct xcs_known_fact *f)
{
	if (x->campaign->is_imported) /* nothing is judged, so nothing need be refused */
		return false;
	return f->is_hard || (x->settings.variable && fact_is_kernel(f->key));
}

static bool seen_before(const struct xcs_campaign *c, size_t group, const char *key)
{
	for (size_t g = 0; g < group; g++)
		if (xcs_campaign_fact(&c->groups[g], key))
			return true;
	return false;
}

static void add_hard(struct xcs_comparison *x, char *text)
{
	x->hard = xcs_xgrow(x->hard, x->n_hard, &x->cap_hard, sizeof(*x->hard));
	x->hard[x->n_hard++] = text;
}

static void add_soft(struct xcs_comparison *x, char *text)
{
	x->soft = xcs_xgrow(x->soft, x->n_soft, &x->cap_soft, sizeof(*x->soft));
	x->soft[x->n_soft++] = text;
}

static void compare_fact(struct xcs_comparison *x, const struct xcs_known_fact *f)
{
	const struct xcs_campaign *c = x->campaign;

	/* The table of imported series has its nice in each row. */
	if (is_varied(x, f->key) || (c->is_imported && strcmp(f->key, "plan.cells") == 0))
		return;
	if (is_hard(x, f) && differs(c, f->key, true))
		add_hard(x, difference_dup(c, f->key));
	else if (!is_hard(x, f) && differs(c, f->key, false))
		add_soft(x, difference_dup(c, f->key));
}

/* A label that holds several kernels is no kernel. */
static void compare_kernels(struct xcs_comparison *x)
{
	for (size_t g = 0; !x->settings.variable && g < x->campaign->n_groups; g++) {
		const struct xcs_campaign_group *group = &x->campaign->groups[g];
		const struct xcs_known_fact *f = xcs_campaign_fact(group, "kernel.build_id");
		f = f ? f : xcs_campaign_fact(group, "kernel.release");
		if (f && f->n_values > 1)
			(x->campaign->is_imported ? add_soft : add_hard)(
			        x,
			        xcs_xasprintf("kernel: the runs of %s are of %zu kernels, %s "
			                      "and %s among them",
			                      group->key, f->n_values, f->values[0], f->values[1]));
	}
}

void compare_facts(struct xcs_comparison *x)
{
	const struct xcs_campaign *c = x->campaign;

	compare_kernels(x);
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t i = 0; i < c->groups[g].n_facts; i++)
			if (!seen_before(c, g, c->groups[g].facts[i].key))
				compare_fact(x, &c->groups[g].facts[i]);
}
