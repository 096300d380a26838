/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `xcsbench restore`: undoes what a killed run left behind, from its journal.
 */
#ifndef GUARD_VERB_RESTORE_H
#define GUARD_VERB_RESTORE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The verb's main: argv[0] is the verb. Prints; returns the exit status (enum xcs_exit). */
int verb_restore(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
