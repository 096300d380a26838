/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON for the rooms above: thin names over jansson, so that unknown becomes null in one
 * place and no other room sees the library.
 */
#ifndef XCS_JSON_H
#define XCS_JSON_H

#include <common/buf.h>
#include <common/err.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct json_t; /* a reference that its holder owns */

struct json_t *xcs_json_object(void);
struct json_t *xcs_json_array(void);
void xcs_json_free(struct json_t *j);

/* Setters; the ones that take a json_t take over the reference. NULL text becomes null;
 * bytes that are not UTF-8, in a key too, are written as the code points of the bytes (\u00XX). */
void xcs_json_set(struct json_t *object, const char *key, struct json_t *value);
void xcs_json_set_str(struct json_t *object, const char *key, const char *text);
void xcs_json_set_i64(struct json_t *object, const char *key, int64_t v); /* XCS_ABSENT: null */
void xcs_json_set_num(struct json_t *object, const char *key, struct xcs_num v);
void xcs_json_set_bool(struct json_t *object, const char *key, bool v);
void xcs_json_append(struct json_t *array, struct json_t *value);
void xcs_json_append_str(struct json_t *array, const char *text);
void xcs_json_append_num(struct json_t *array, struct xcs_num v);

/* Gives every text value below (no key) to `edit` and puts what that returns, which is freed,
 * in its place; NULL leaves it. */
typedef char *(*xcs_edit_fn)(const char *text, void *data);
void xcs_json_edit(struct json_t *j, xcs_edit_fn edit, void *data);

/* Writes the text, with a newline at the end; indent 0 gives one line. C locale always. */
void xcs_json_write(const struct json_t *j, int indent, struct xcs_buf *into);

#ifdef __cplusplus
}
#endif
#endif
