/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Short forms for rows of struct field. Private to record/.
 */
#ifndef XCS_RECORD_ROWS_H
#define XCS_RECORD_ROWS_H

#include "fields.h"

#define ROW(s, member, t)                                                     \
	{                                                                     \
		.key = #member, .type = (t), .at = offsetof(struct s, member) \
	}
/* A member that records of earlier versions lack. */
#define ROW_LATER(s, member, t)                                                                 \
	{                                                                                       \
		.key = #member, .type = (t), .at = offsetof(struct s, member), .optional = true \
	}
#define ROW_CHOICE(s, member, list)                                                     \
	{                                                                               \
		.key = #member, .type = FIELD_CHOICE, .at = offsetof(struct s, member), \
		.names = (list)                                                         \
	}
#define ROW_STRS(s, member, count)                                                    \
	{                                                                             \
		.key = #member, .type = FIELD_STRS, .at = offsetof(struct s, member), \
		.at_n = offsetof(struct s, count)                                     \
	}
#define ROW_OBJECTS(s, member, count, inner, inner_rows)                                 \
	{                                                                                \
		.key = #member, .type = FIELD_OBJECTS, .at = offsetof(struct s, member), \
		.at_n = offsetof(struct s, count), .size_bytes = sizeof(struct inner),   \
		.rows = (inner_rows)                                                     \
	}
#define ROW_OBJECTS_LATER(s, member, count, inner, inner_rows)                           \
	{                                                                                \
		.key = #member, .type = FIELD_OBJECTS, .at = offsetof(struct s, member), \
		.at_n = offsetof(struct s, count), .size_bytes = sizeof(struct inner),   \
		.rows = (inner_rows), .optional = true                                   \
	}
#define ROW_OBJECT(s, member, inner_rows)                                               \
	{                                                                               \
		.key = #member, .type = FIELD_OBJECT, .at = offsetof(struct s, member), \
		.rows = (inner_rows)                                                    \
	}
#define ROW_NUMS(s, member, count)                                                    \
	{                                                                             \
		.key = #member, .type = FIELD_NUMS, .at = offsetof(struct s, member), \
		.at_n = offsetof(struct s, count)                                     \
	}

#endif
