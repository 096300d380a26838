/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The column header. Its words by version of procps: 2.0 "r b w swpd ... us sy id", later
 * with wa (before or behind id); 3.0 drops w; 3.2 (Debian), 3.3.9 add st; 4.0.1 adds gu; -a has
 * inact and active for buff and cache. Most translations leave all but the memory columns
 * as they are.
 */
#include "vmstat_parts.h"

#include <common/alloc.h>

#include <errno.h>
#include <string.h>

static const char *const names[] = {
        [COLUMN_R] = "r",         [COLUMN_B] = "b",         [COLUMN_W] = "w",
        [COLUMN_SWPD] = "swpd",   [COLUMN_FREE] = "free",   [COLUMN_BUFF] = "buff",
        [COLUMN_CACHE] = "cache", [COLUMN_INACT] = "inact", [COLUMN_ACTIVE] = "active",
        [COLUMN_SI] = "si",       [COLUMN_SO] = "so",       [COLUMN_BI] = "bi",
        [COLUMN_BO] = "bo",       [COLUMN_IN] = "in",       [COLUMN_CS] = "cs",
        [COLUMN_US] = "us",       [COLUMN_SY] = "sy",       [COLUMN_ID] = "id",
        [COLUMN_WA] = "wa",       [COLUMN_ST] = "st",       [COLUMN_GU] = "gu",
};

enum vmstat_column column_find(struct xcs_str label)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (xcs_str_is(label, names[i]))
			return (enum vmstat_column)i;
	return COLUMN_OTHER;
}

bool column_is_pct(enum vmstat_column id)
{
	return id >= COLUMN_US && id <= COLUMN_GU;
}

static bool is_memory(enum vmstat_column id)
{
	return id >= COLUMN_SWPD && id <= COLUMN_ACTIVE;
}

/* The columns of a header of that many words, as today's vmstat orders them. */
static size_t usual_order(enum vmstat_column ids[LABELS_MAX], size_t n)
{
	static const enum vmstat_column order[] = {
	        COLUMN_R,  COLUMN_B,  COLUMN_SWPD, COLUMN_FREE, COLUMN_BUFF, COLUMN_CACHE,
	        COLUMN_SI, COLUMN_SO, COLUMN_BI,   COLUMN_BO,   COLUMN_IN,   COLUMN_CS,
	        COLUMN_US, COLUMN_SY, COLUMN_ID,   COLUMN_WA,   COLUMN_ST,   COLUMN_GU,
	};

	if (n < 16 || n > ARRAY_LEN(order))
		return 0;
	memcpy(ids, order, n * sizeof(*ids));
	return n;
}

/* Names the words by their place; false when a word that is known stands elsewhere. */
static bool name_by_count(struct layout *l)
{
	if (!usual_order(l->ids, l->n))
		return false;
	for (size_t i = 0; i < l->n; i++) {
		enum vmstat_column said = column_find(l->labels[i]);
		if (said != COLUMN_OTHER && said != l->ids[i] &&
		    !(is_memory(said) && is_memory(l->ids[i])))
			return false;
		if (said == COLUMN_OTHER || !is_memory(said))
			l->labels[i] = xcs_str(names[l->ids[i]]);
		else
			l->ids[i] = said;
	}
	l->translated = true;
	return true;
}

static int index_of(const struct layout *l, enum vmstat_column id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->ids[i] == id)
			return (int)i;
	return -1;
}

static bool has_twice(const struct layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->ids[i] != COLUMN_OTHER && index_of(l, l->ids[i]) != (int)i)
			return true;
	return false;
}

/* Words that a later vmstat may have behind the ones we know: short, in small letters. */
static bool is_later_column(struct xcs_str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] < 'a' || word.p[i] > 'z')
			return false;
	return word.n <= 3;
}

/* Behind the last column that is known: those of later versions stay, a time zone goes. */
static void end_layout(struct layout *l, bool stamped)
{
	size_t known = l->n;

	while (known && column_find(l->labels[known - 1]) == COLUMN_OTHER)
		known--;
	if (known < 8)
		return; /* a header in other words */
	size_t n = known;
	while (n < l->n && !stamped && is_later_column(l->labels[n]))
		n++;
	l->n = n;
}

/* The order of what makes it a vmstat of Linux, whatever stands between. */
static bool is_in_order(const struct layout *l)
{
	static const enum vmstat_column must[] = {COLUMN_R,  COLUMN_B,  COLUMN_SI,
	                                          COLUMN_SO, COLUMN_IN, COLUMN_CS,
	                                          COLUMN_US, COLUMN_SY, COLUMN_ID};
	int last = -1;

	for (size_t i = 0; i < ARRAY_LEN(must); i++) {
		int at = index_of(l, must[i]);
		if (at <= last)
			return false;
		last = at;
	}
	return true;
}

static bool knows_all(const struct layout *l)
{
	int id_at = index_of(l, COLUMN_ID);

	for (size_t i = 0; i < l->n; i++)
		if (l->ids[i] == COLUMN_OTHER && (int)i < id_at)
			return false;
	return id_at >= 0;
}

int layout_make(struct layout *l, const struct xcs_str *words, size_t n, bool grouped, bool stamped)
{
	*l = (struct layout){0};
	if (n < 15 || n > LABELS_MAX)
		return -EINVAL;
	memcpy(l->labels, words, n * sizeof(*words));
	l->n = n;
	end_layout(l, stamped);
	if (stamped && l->n > 15 && column_find(l->labels[l->n - 1]) == COLUMN_OTHER)
		l->n--;
	for (size_t i = 0; i < l->n; i++)
		l->ids[i] = column_find(l->labels[i]);
	if (knows_all(l) && is_in_order(l) && !has_twice(l))
		return 0;
	bool anchored = l->ids[0] == COLUMN_R && l->ids[1] == COLUMN_B;
	return (grouped || anchored) && name_by_count(l) && !has_twice(l) ? 0 : -EINVAL;
}

bool layout_same(const struct layout *a, const struct layout *b)
{
	return a->n == b->n && memcmp(a->ids, b->ids, a->n * sizeof(a->ids[0])) == 0;
}
