/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fields.h"

#include <common/alloc.h>
#include <common/str.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Casting const away ends here: savers only read through the result. */
static void *member(const void *base, size_t offset)
{
	return (void *)((uintptr_t)base + offset);
}

static size_t length_of(const struct field *f, const void *base)
{
	return *(const size_t *)member(base, f->at_n);
}

static struct json_t *strs_of(const struct field *f, const void *base)
{
	struct json_t *array = xcs_json_array();
	char *const *v = *(char *const **)member(base, f->at);

	for (size_t i = 0; i < length_of(f, base); i++)
		xcs_json_append_str(array, v[i]);
	return array;
}

static struct json_t *nums_of(const struct field *f, const void *base)
{
	struct json_t *array = xcs_json_array();
	const struct xcs_num *v = *(const struct xcs_num *const *)member(base, f->at);

	for (size_t i = 0; i < length_of(f, base); i++)
		xcs_json_append_num(array, v[i]);
	return array;
}

static struct json_t *objects_of(const struct field *f, const void *base)
{
	struct json_t *array = xcs_json_array();
	const char *v = *(const char *const *)member(base, f->at);

	for (size_t i = 0; i < length_of(f, base); i++) {
		struct json_t *object = xcs_json_object();
		xcs_fields_save(f->rows, v + i * f->size_bytes, object);
		xcs_json_append(array, object);
	}
	return array;
}

static void save_u64(struct json_t *object, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	xcs_json_set_str(object, key, text);
}

static void save_one(const struct field *f, const void *base, struct json_t *object)
{
	const void *at = member(base, f->at);

	switch (f->type) {
	case FIELD_STR:
		xcs_json_set_str(object, f->key, *(const char *const *)at);
		break;
	case FIELD_INT:
	case FIELD_PID:
		xcs_json_set_i64(object, f->key, *(const int *)at);
		break;
	case FIELD_I64:
		xcs_json_set_i64(object, f->key, *(const int64_t *)at);
		break;
	case FIELD_U64:
		save_u64(object, f->key, *(const uint64_t *)at);
		break;
	case FIELD_BOOL:
		xcs_json_set_bool(object, f->key, *(const bool *)at);
		break;
	case FIELD_NUM:
		xcs_json_set_num(object, f->key, *(const struct xcs_num *)at);
		break;
	case FIELD_CHOICE:
		xcs_json_set_str(object, f->key, f->names[*(const int *)at]);
		break;
	case FIELD_STRS:
		xcs_json_set(object, f->key, strs_of(f, base));
		break;
	case FIELD_NUMS:
		xcs_json_set(object, f->key, nums_of(f, base));
		break;
	case FIELD_OBJECT: {
		struct json_t *inner = xcs_json_object();
		xcs_fields_save(f->rows, at, inner);
		xcs_json_set(object, f->key, inner);
		break;
	}
	case FIELD_OBJECTS:
		xcs_json_set(object, f->key, objects_of(f, base));
		break;
	}
}

void xcs_fields_save(const struct field *rows, const void *from, struct json_t *object)
{
	for (const struct field *f = rows; f->key; f++)
		save_one(f, from, object);
}

static int unfit(const char *where, const struct field *f, const char *want, struct xcs_err *err)
{
	return xcs_err_set(err, -EINVAL, "%s%s is not %s", where, f->key, want);
}

static int load_int(const struct json_t *j, int *out)
{
	json_int_t v = json_integer_value(j);

	if (!json_is_integer(j) || v < INT_MIN || v > INT_MAX)
		return -EINVAL;
	*out = (int)v;
	return 0;
}

static int load_choice(const struct field *f, const struct json_t *j, int *out)
{
	const char *text = json_string_value(j);

	for (int i = 0; text && f->names[i]; i++)
		if (strcmp(f->names[i], text) == 0) {
			*out = i;
			return 0;
		}
	return -EINVAL;
}

static void set_length(const struct field *f, void *base, size_t n)
{
	*(size_t *)member(base, f->at_n) = n;
	if (f->at_cap)
		*(size_t *)member(base, f->at_cap) = n;
}

static int load_strs(const struct field *f, void *base, const struct json_t *j)
{
	size_t n = json_array_size(j);
	char **v = xcs_xcalloc(n, sizeof(*v));

	*(char ***)member(base, f->at) = v;
	set_length(f, base, n);
	for (size_t i = 0; i < n; i++) {
		const char *text = json_string_value(json_array_get(j, i));
		if (!text)
			return -EINVAL;
		v[i] = xcs_xstrdup(text);
	}
	return json_is_array(j) ? 0 : -EINVAL;
}

static int load_objects(const struct field *f, void *base, const struct json_t *j,
                        const char *where, struct xcs_err *err)
{
	size_t n = json_array_size(j);
	char *v = xcs_xcalloc(n, f->size_bytes);
	int rc = json_is_array(j) ? 0 : unfit(where, f, "a list", err);

	*(char **)member(base, f->at) = v;
	set_length(f, base, n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *path = xcs_xasprintf("%s%s[%zu].", where, f->key, i);
		rc = xcs_fields_load(f->rows, v + i * f->size_bytes, json_array_get(j, i), path,
		                     err);
		free(path);
	}
	return rc;
}

static int load_object(const struct field *f, void *at, const struct json_t *j, const char *where,
                       struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s%s.", where, f->key);
	int rc = xcs_fields_load(f->rows, at, j, path, err);

	free(path);
	return rc;
}

static int load_i64(const struct json_t *j, int64_t *out)
{
	if (!json_is_integer(j) && !json_is_null(j))
		return -EINVAL;
	*out = json_is_null(j) ? XCS_ABSENT : json_integer_value(j);
	return 0;
}

static int load_str(const struct json_t *j, char **out)
{
	if (json_is_string(j))
		*out = xcs_xstrdup(json_string_value(j));
	return json_is_string(j) || json_is_null(j) ? 0 : -EINVAL;
}

static int load_num(const struct json_t *j, struct xcs_num *out)
{
	*out = (struct xcs_num){.known = json_is_number(j), .v = json_number_value(j)};
	return json_is_number(j) || json_is_null(j) ? 0 : -EINVAL;
}

static int load_nums(const struct field *f, void *base, const struct json_t *j)
{
	size_t n = json_array_size(j);
	struct xcs_num *v = xcs_xcalloc(n, sizeof(*v));
	int rc = json_is_array(j) ? 0 : -EINVAL;

	*(struct xcs_num **)member(base, f->at) = v;
	set_length(f, base, n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = load_num(json_array_get(j, i), &v[i]);
	return rc;
}

static int load_one(const struct field *f, void *base, const struct json_t *j, const char *where,
                    struct xcs_err *err)
{
	void *at = member(base, f->at);

	switch (f->type) {
	case FIELD_STR:
		return load_str(j, at) ? unfit(where, f, "text", err) : 0;
	case FIELD_INT:
	case FIELD_PID:
		return load_int(j, at) ? unfit(where, f, "a whole number", err) : 0;
	case FIELD_I64:
		return load_i64(j, at) ? unfit(where, f, "a whole number or null", err) : 0;
	case FIELD_U64:
		return xcs_str_u64(xcs_str(json_string_value(j)), at)
		               ? unfit(where, f, "a whole number as text", err)
		               : 0;
	case FIELD_BOOL:
		*(bool *)at = json_is_true(j);
		return json_is_boolean(j) ? 0 : unfit(where, f, "true or false", err);
	case FIELD_NUM:
		return load_num(j, at) ? unfit(where, f, "a number or null", err) : 0;
	case FIELD_CHOICE:
		return load_choice(f, j, at)
		               ? unfit(where, f, "a word that this version knows", err)
		               : 0;
	case FIELD_STRS:
		return load_strs(f, base, j) ? unfit(where, f, "a list of texts", err) : 0;
	case FIELD_NUMS:
		return load_nums(f, base, j) ? unfit(where, f, "a list of numbers", err) : 0;
	case FIELD_OBJECT:
		return load_object(f, at, j, where, err);
	case FIELD_OBJECTS:
		return load_objects(f, base, j, where, err);
	}
	return -EINVAL;
}

int xcs_fields_load(const struct field *rows, void *into, const struct json_t *object,
                    const char *where, struct xcs_err *err)
{
	if (!json_is_object(object))
		return xcs_err_set(err, -EINVAL, "%.*s is not an object",
		                   where[0] ? (int)strlen(where) - 1 : 3, where[0] ? where : "the");
	for (const struct field *f = rows; f->key; f++) {
		const json_t *j = json_object_get(object, f->key);
		bool may_lack = f->optional || f->type == FIELD_STR || f->type == FIELD_NUM;
		if (!j && may_lack)
			continue;
		if (!j)
			return xcs_err_set(err, -EINVAL, "%s%s is missing", where, f->key);
		int rc = load_one(f, into, j, where, err);
		if (rc)
			return rc;
	}
	return 0;
}

static void fini_strs(const struct field *f, void *base)
{
	char **v = *(char ***)member(base, f->at);

	for (size_t i = 0; i < length_of(f, base); i++)
		free(v[i]);
	free(v);
}

static void fini_objects(const struct field *f, void *base)
{
	char *v = *(char **)member(base, f->at);

	for (size_t i = 0; i < length_of(f, base); i++)
		xcs_fields_fini(f->rows, v + i * f->size_bytes);
	free(v);
}

void xcs_fields_fini(const struct field *rows, void *at)
{
	for (const struct field *f = rows; f->key; f++) {
		if (f->type == FIELD_STR)
			free(*(char **)member(at, f->at));
		else if (f->type == FIELD_NUMS)
			free(*(struct xcs_num **)member(at, f->at));
		else if (f->type == FIELD_STRS)
			fini_strs(f, at);
		else if (f->type == FIELD_OBJECT)
			xcs_fields_fini(f->rows, member(at, f->at));
		else if (f->type == FIELD_OBJECTS)
			fini_objects(f, at);
	}
}
