/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The members of the run record as rows: saving, loading and freeing walk the same rows,
 * so a member that is written is also read. Private to record/.
 */
#ifndef XCS_RECORD_FIELDS_H
#define XCS_RECORD_FIELDS_H

#include <common/err.h>
#include <record/json.h>

struct xcs_run;

enum field_type {
	FIELD_STR,    /* char *; null or missing: NULL */
	FIELD_INT,    /* int */
	FIELD_PID,    /* pid_t */
	FIELD_I64,    /* int64_t; null: XCS_ABSENT */
	FIELD_U64,    /* uint64_t, as decimal text: JSON numbers end at 2^53 for most readers */
	FIELD_BOOL,   /* bool */
	FIELD_NUM,    /* struct xcs_num; null or missing: unknown */
	FIELD_CHOICE, /* an enum, as one of names[] */
	FIELD_STRS,   /* char ** and its length */
	FIELD_NUMS,   /* struct xcs_num * and its length */
	FIELD_OBJECT, /* a struct of its own rows */
	FIELD_OBJECTS /* an array of such structs and its length */
};

struct field {
	const char *key; /* NULL ends the rows */
	enum field_type type;
	size_t at;           /* offset of the member */
	size_t at_n, at_cap; /* arrays: offset of length and, if there is one, capacity */
	size_t size_bytes;   /* arrays of structs: of one */
	const struct field *rows;
	const char *const *names; /* choices, NULL-terminated */
	bool optional;            /* a later addition: files without it keep zero */
};

extern const struct field xcs_run_fields[];

void xcs_fields_save(const struct field *rows, const void *from, struct json_t *object);

/* Reads into zeroed memory; on error what was read is still there to be freed. `where` is
 * the path of the object for sentences, "" at the top. */
int xcs_fields_load(const struct field *rows, void *into, const struct json_t *object,
                    const char *where, struct xcs_err *err) XCS_MUST_CHECK;

void xcs_fields_fini(const struct field *rows, void *at);

#endif
