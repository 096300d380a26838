/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the profile "controlled" did to the machine, setting by setting.
 */
#include "report.h"

#include <common/alloc.h>

#include <string.h>

static const struct xcs_column columns[] = {
        {.id = "setting",      .heading = "setting", .unit = "",             .is_key = true, .text_width = 40},
        {.id = "n",    .heading = "n",                        .unit = ""                                     },
        {.id = "before",          .heading = "before",       .unit = "",.text_width = 20},
        {.id = "during",          .heading = "during",        .unit = "",                                                    .text_width = 20},
        {.id = "after",.heading = "after",.unit = "",.text_width = 20},
        {.id = "result",        .heading = "result",                   .unit = ""                                    },
};

static bool is_controlled(const struct xcs_run *run)
{
	return run->plan.profile && strcmp(run->plan.profile, "controlled") == 0;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool is_changed(const struct xcs_run_knob *k)
{
	return !k->why_not && !same(k->before, k->during);
}

static const char *result(const struct xcs_run_knob *k)
{
	if (k->why_not)
		return k->why_not;
	if (!is_changed(k))
		return "was so before";
	if (!k->after)
		return "changed";
	return same(k->after, k->before) ? "put back" : "not put back";
}

/* Of a path its end, "policy0/scaling_governor": the rest is the same in most. */
static const char *short_name(const char *name)
{
	const char *last = name && name[0] == '/' ? strrchr(name, '/') : NULL;

	if (!last)
		return name;
	while (last > name && last[-1] != '/')
		last--;
	return last;
}

void report_face_profile(const struct xcs_summary *s, struct xcs_section *face)
{
	size_t n_changed = 0, n_refused = 0;

	if (!is_controlled(&s->run))
		return;
	for (size_t i = 0; i < s->run.n_knobs; i++) {
		n_changed += is_changed(&s->run.knobs[i]);
		n_refused += s->run.knobs[i].why_not != NULL;
	}
	xcs_doc_item(face,
	             "Profile: controlled: %zu of %zu settings changed for the run, %zu so before, "
	             "%zu not set (see Controlled profile).",
	             n_changed, s->run.n_knobs, s->run.n_knobs - n_changed - n_refused, n_refused);
}

static bool same_or_none(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* "policy0" and "policy12" are both a policy. */
static bool same_name(const char *a, const char *b)
{
	static const char digits[] = "0123456789";
	size_t n;

	while (a && b && (n = strcspn(a, digits)) == strcspn(b, digits) && strncmp(a, b, n) == 0) {
		if (!a[n])
			return !b[n];
		a += n + strspn(a + n, digits);
		b += n + strspn(b + n, digits);
	}
	return false;
}

static bool is_alike(const struct xcs_run_knob *a, const struct xcs_run_knob *b)
{
	return same_name(a->name, b->name) && same_or_none(a->before, b->before) &&
	       same_or_none(a->during, b->during) && same_or_none(a->after, b->after) &&
	       same_or_none(a->why_not, b->why_not);
}

static size_t n_alike(const struct xcs_run *run, size_t first, size_t end,
                      const struct xcs_run_knob *k)
{
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		n += is_alike(&run->knobs[i], k);
	return n;
}

static void add_row(const struct xcs_run *run, size_t at, struct xcs_doc_table *t)
{
	const struct xcs_run_knob *k = &run->knobs[at];
	struct xcs_cell *row = xcs_doc_row(t);

	xcs_cell_set_text(&row[0], short_name(k->name));
	xcs_cell_set_num(&row[1], xcs_num_of((double)n_alike(run, at, run->n_knobs, k)));
	xcs_cell_set_text(&row[2], k->before);
	xcs_cell_set_text(&row[3], k->during);
	xcs_cell_set_text(&row[4], k->after);
	xcs_cell_set_text(&row[5], result(k));
}

void report_profile(const struct xcs_summary *s, struct xcs_doc *doc)
{
	if (!is_controlled(&s->run) || !s->run.n_knobs)
		return;
	struct xcs_section *section = xcs_doc_section(doc, "profile", "Controlled profile");
	section->is_aside = true;
	xcs_doc_paragraph(section, "Files are named by the end of their path; n of a kind are "
	                           "alike. \"after\" was read once all was put back; n/a: there is "
	                           "none, or the run ended early.");
	struct xcs_doc_table *t = xcs_doc_table(section, "profile", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < s->run.n_knobs; i++)
		if (n_alike(&s->run, 0, i, &s->run.knobs[i]) == 0)
			add_row(&s->run, i, t);
}
