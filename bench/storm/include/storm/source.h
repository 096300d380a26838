/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The C files that a build storm compiles: made from a seed, the same on every machine,
 * without a header of the system, so that any C compiler can do it.
 */
#ifndef STORM_SOURCE_H
#define STORM_SOURCE_H

#include <common/buf.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	STORM_N_HEADERS = 3,
	STORM_FILES_MAX = 1000
};

/* Appends header `index` (below STORM_N_HEADERS), to be saved as headerN.h. */
void storm_header(uint64_t seed, int index, struct xcs_buf *out);

/* Appends source file `index`, which includes all headers by name. */
void storm_source(uint64_t seed, int index, struct xcs_buf *out);

#ifdef __cplusplus
}
#endif
#endif
