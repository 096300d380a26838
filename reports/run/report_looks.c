/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The looks at the threads of the display chain, one row for those that are alike.
 */
#include "report.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static const struct xcs_column columns[] = {
        {.id = "when",            .heading = "at", .unit = "",    .is_key = true},
        {.id = "role",                       .heading = "role",                           .unit = "", .is_key = true},
        {.id = "comm",         .heading = "thread",                        .unit = "",                          .is_key = true},
        {.id = "threads",             .heading = "n",.unit = ""},
        {.id = "policy",.heading = "policy",            .unit = ""                                              },
        {.id = "rt_priority",        .heading = "rt",  .unit = ""},
        {.id = "nice", .heading = "nice",     .unit = ""                                                 },
        {.id = "autogroup",      .heading = "autogroup",       .unit = ""},
        {.id = "cgroup",.heading = "cgroup",.unit = ""                                     },
        {.id = "cpu_weights",         .heading = "cpu.weight",                    .unit = ""},
};

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_num(struct xcs_num a, struct xcs_num b)
{
	return a.known == b.known && (!a.known || (a.v >= b.v && a.v <= b.v));
}

/* "client0" and "client3" are both "client". */
static size_t stem(const char *role)
{
	return role ? strcspn(role, "0123456789") : 0;
}

/* Loads begin a session in each terminal, so only the nice of their autogroups can agree. */
static const char *group_nice(const struct xcs_run_thread *t)
{
	const char *nice = t->autogroup ? strchr(t->autogroup, ' ') : NULL;
	bool is_numbered = t->role && t->role[stem(t->role)];

	return is_numbered && nice ? nice + 1 : t->autogroup;
}

static bool is_alike(const struct xcs_run_thread *a, const struct xcs_run_thread *b)
{
	size_t n = stem(a->role);

	return n == stem(b->role) && (n == 0 || strncmp(a->role, b->role, n) == 0) &&
	       same(a->comm, b->comm) && same(a->policy, b->policy) &&
	       same_num(a->rt_priority, b->rt_priority) && same_num(a->nice, b->nice) &&
	       same(group_nice(a), group_nice(b)) && same(a->cgroup, b->cgroup) &&
	       same(a->cpu_weights, b->cpu_weights);
}

static size_t n_alike(const struct xcs_run_look *look, size_t first, size_t end,
                      const struct xcs_run_thread *t)
{
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		n += is_alike(&look->threads[i], t);
	return n;
}

static void add_row(const struct xcs_run_look *look, size_t at, struct xcs_doc_table *table)
{
	const struct xcs_run_thread *t = &look->threads[at];
	size_t n = n_alike(look, at, look->n_threads, t);
	struct xcs_cell *row = xcs_doc_row(table);
	char *role = t->role ? xcs_xasprintf("%.*s", (int)stem(t->role), t->role) : NULL;

	xcs_cell_set_text(&row[0], look->when);
	xcs_cell_set_text(&row[1], role);
	xcs_cell_set_text(&row[2], t->comm);
	xcs_cell_set_num(&row[3], xcs_num_of((double)n));
	xcs_cell_set_text(&row[4], t->policy);
	xcs_cell_set_num(&row[5], t->rt_priority);
	xcs_cell_set_num(&row[6], t->nice);
	xcs_cell_set_text(&row[7], group_nice(t));
	xcs_cell_set_text(&row[8], t->cgroup);
	xcs_cell_set_text(&row[9], t->cpu_weights);
	free(role);
}

void report_looks(const struct xcs_summary *s, struct xcs_doc *doc)
{
	if (!s->run.n_looks)
		return;
	struct xcs_section *section =
	        xcs_doc_section(doc, "threads", "Threads of the display chain");
	section->is_aside = true;
	struct xcs_doc_table *table =
	        xcs_doc_table(section, "threads", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < s->run.n_looks; i++) {
		const struct xcs_run_look *look = &s->run.looks[i];
		for (size_t k = 0; k < look->n_threads; k++)
			if (n_alike(look, 0, k, &look->threads[k]) == 0)
				add_row(look, k, table);
	}
}
