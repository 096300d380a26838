/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <record/sample_list.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void xcs_sample_list_fini(struct xcs_sample_list *l)
{
	for (size_t i = 0; i < l->n_names; i++)
		free(l->names[i]);
	free(l->names);
	free(l->kernel);
	free(l->boot_id);
	free(l->t_s);
	free(l->v);
	*l = (struct xcs_sample_list){0};
}

int xcs_sample_list_name(struct xcs_sample_list *l, struct xcs_str name)
{
	for (size_t i = 0; i < l->n_names; i++)
		if (xcs_str_is(name, l->names[i]))
			return (int)i;
	if (l->n_rows)
		return -1;
	l->names = xcs_xrealloc(l->names, (l->n_names + 1) * sizeof(*l->names));
	l->names[l->n_names] = xcs_xasprintf("%.*s", (int)name.n, name.p);
	return (int)l->n_names++;
}

struct xcs_num *xcs_sample_list_row(struct xcs_sample_list *l, struct xcs_num t_s)
{
	l->t_s = xcs_xgrow(l->t_s, l->n_rows, &l->cap_t, sizeof(*l->t_s));
	l->v = xcs_xgrow(l->v, l->n_rows, &l->cap_v, l->n_names * sizeof(*l->v));
	l->t_s[l->n_rows] = t_s;
	struct xcs_num *row = l->v + l->n_rows++ * l->n_names;
	for (size_t i = 0; i < l->n_names; i++)
		row[i] = (struct xcs_num){0};
	return row;
}

static char *string_dup(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? xcs_xstrdup(s) : NULL;
}

static struct xcs_num number(const json_t *j)
{
	return (struct xcs_num){json_is_number(j), json_number_value(j)};
}

/* Counters are the numbers of the first sample, but its time. */
static void take_names(struct xcs_sample_list *l, json_t *sample)
{
	const char *key;
	json_t *value;

	json_object_foreach(sample, key, value) if (json_is_number(value) && strcmp(key, "t") != 0)(
	        void) xcs_sample_list_name(l, xcs_str(key));
}

static int take_sample(struct xcs_sample_list *l, const json_t *sample, struct xcs_err *err)
{
	struct xcs_num t_s = number(json_object_get(sample, "t"));

	if (!json_is_object(sample) || !t_s.known)
		return xcs_err_set(err, -EINVAL, "samples[%zu] has no time \"t\"; it is damaged",
		                   l->n_rows);
	struct xcs_num *row = xcs_sample_list_row(l, t_s);
	for (size_t i = 0; i < l->n_names; i++)
		row[i] = number(json_object_get(sample, l->names[i]));
	return 0;
}

static int take_all(struct xcs_sample_list *l, const json_t *top, struct xcs_err *err)
{
	const json_t *samples = json_object_get(top, "samples");
	int rc = 0;

	if (!json_array_size(samples) || !json_is_object(json_array_get(samples, 0)))
		return xcs_err_set(err, -EINVAL, "it has no \"samples\"; it is foreign or empty");
	l->kernel = string_dup(top, "kernel");
	l->boot_id = string_dup(top, "boot_id");
	l->incomplete = json_is_false(json_object_get(top, "complete"));
	take_names(l, json_array_get(samples, 0));
	for (size_t i = 0; i < json_array_size(samples) && rc == 0; i++)
		rc = take_sample(l, json_array_get(samples, i), err);
	return rc;
}

#define LARGE_BYTES (1 << 20)

int xcs_sample_list_parse(struct xcs_sample_list *l, struct xcs_str text, struct xcs_err *err)
{
	json_error_t why;

	*l = (struct xcs_sample_list){0};
	/* A large file of somebody else is not worth a parser's seconds. */
	if (text.n > LARGE_BYTES && !memmem(text.p, text.n, "\"samples\"", 9))
		return xcs_err_set(err, -EINVAL,
		                   "it is foreign (%zu bytes and no \"samples\" in them)", text.n);
	json_t *top = json_loadb(text.n ? text.p : "", text.n, 0, &why);
	if (!top)
		return xcs_err_set(err, -EINVAL,
		                   "no complete interval: it is no whole JSON from line %d on "
		                   "(%.80s), so it was cut short or damaged",
		                   why.line, why.text);
	int rc = take_all(l, top, err);
	json_decref(top);
	if (rc)
		xcs_sample_list_fini(l);
	return rc;
}
