/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Many p-values at once. Unknown ones stay unknown and do not count as tests.
 */
#ifndef XCS_MULTIPLE_H
#define XCS_MULTIPLE_H

#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In place, p to adjusted p: at most alpha of all families err if each p <= alpha is believed
 * (Holm, Scand. J. Statist. 6, 1979).
 */
void xcs_holm(struct xcs_num *p, size_t n);

/*
 * In place, p to q: of all findings with q <= alpha at most that share is expected to be
 * wrong (Benjamini and Hochberg, J. R. Statist. Soc. B 57(1), 1995).
 */
void xcs_benjamini_hochberg(struct xcs_num *p, size_t n);

#ifdef __cplusplus
}
#endif
#endif
