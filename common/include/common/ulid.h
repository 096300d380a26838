/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ULID: 26 characters that sort by time of creation (https://github.com/ulid/spec).
 */
#ifndef XCS_ULID_H
#define XCS_ULID_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_ULID_LEN 26

/* Writes the ULID of that wall-clock time and 80 random bits, NUL-terminated. */
void xcs_ulid_make(int64_t wall_ns, char out[XCS_ULID_LEN + 1]);

#ifdef __cplusplus
}
#endif
#endif
