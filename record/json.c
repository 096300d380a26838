/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <record/json.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* jansson's constructors fail only when memory is out or the input is bad; bad input is
 * ruled out before they are called. */
static json_t *must(json_t *j)
{
	if (!j)
		abort();
	return j;
}

struct json_t *xcs_json_object(void)
{
	return must(json_object());
}

struct json_t *xcs_json_array(void)
{
	return must(json_array());
}

void xcs_json_free(struct json_t *j)
{
	json_decref(j);
}

/* Byte values as code points: nothing is lost, and the reader sees that something was odd. */
static json_t *string_of_bytes(const char *text)
{
	struct xcs_buf utf8 = {0};

	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p >= 0x80)
			xcs_buf_putc(&utf8, (char)(0xc0 | *p >> 6));
		xcs_buf_putc(&utf8, (char)(*p >= 0x80 ? 0x80 | (*p & 0x3f) : *p));
	}
	json_t *j = must(json_stringn(utf8.p ? utf8.p : "", utf8.n));
	xcs_buf_fini(&utf8);
	return j;
}

static json_t *string_or_null(const char *text)
{
	if (!text)
		return json_null();
	json_t *j = json_string(text);
	return j ? j : string_of_bytes(text);
}

static json_t *i64_or_null(int64_t v)
{
	return v == XCS_ABSENT ? json_null() : must(json_integer(v));
}

void xcs_json_set(struct json_t *object, const char *key, struct json_t *value)
{
	json_incref(value); /* a failed call drops the reference that it was given */
	if (json_object_set_new(object, key, value) == 0) {
		json_decref(value);
		return;
	}
	json_t *name = string_of_bytes(key);
	if (json_object_set_new(object, json_string_value(name), value))
		must(NULL);
	json_decref(name);
}

void xcs_json_set_str(struct json_t *object, const char *key, const char *text)
{
	xcs_json_set(object, key, string_or_null(text));
}

void xcs_json_set_i64(struct json_t *object, const char *key, int64_t v)
{
	xcs_json_set(object, key, i64_or_null(v));
}

static json_t *num_or_null(struct xcs_num v)
{
	return v.known && isfinite(v.v) ? must(json_real(v.v)) : json_null();
}

void xcs_json_set_num(struct json_t *object, const char *key, struct xcs_num v)
{
	xcs_json_set(object, key, num_or_null(v));
}

void xcs_json_set_bool(struct json_t *object, const char *key, bool v)
{
	xcs_json_set(object, key, json_boolean(v));
}

void xcs_json_append(struct json_t *array, struct json_t *value)
{
	if (json_array_append_new(array, value))
		must(NULL);
}

void xcs_json_append_str(struct json_t *array, const char *text)
{
	xcs_json_append(array, string_or_null(text));
}

void xcs_json_append_num(struct json_t *array, struct xcs_num v)
{
	xcs_json_append(array, num_or_null(v));
}

static void edit_string(json_t *j, xcs_edit_fn edit, void *data)
{
	char *text = edit(json_string_value(j), data);

	if (text && json_string_set(j, text))
		must(NULL);
	free(text);
}

void xcs_json_edit(struct json_t *j, xcs_edit_fn edit, void *data)
{
	const char *key;
	size_t i;
	json_t *value;

	if (json_is_string(j))
		edit_string(j, edit, data);
	json_array_foreach(j, i, value) xcs_json_edit(value, edit, data);
	json_object_foreach(j, key, value) xcs_json_edit(value, edit, data);
}

static int add_piece(const char *piece, size_t n_bytes, void *into)
{
	xcs_buf_add(into, piece, n_bytes);
	return 0;
}

void xcs_json_write(const struct json_t *j, int indent, struct xcs_buf *into)
{
	/* 15 digits read back what was measured and do not print 0.1 as 0.1000...0001. */
	size_t flags = JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;

	json_dump_callback(j, add_piece, into,
	                   flags | (indent > 0 ? JSON_INDENT((size_t)indent) : 0));
	xcs_buf_putc(into, '\n');
}
