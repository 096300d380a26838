/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verbs of xcs-run; each is a main of its own: argv[0] is the verb, the result the exit
 * status. Only they print.
 */
#ifndef VERBS_H
#define VERBS_H

int verb_run(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_doctor(int argc, char **argv);

#endif
