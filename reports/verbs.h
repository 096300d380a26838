/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verbs of xcs-report. Each takes its own argv (argv[0] is the verb) and returns the
 * exit status.
 */
#ifndef XCS_REPORT_VERBS_H
#define XCS_REPORT_VERBS_H

int verb_import(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_schema(int argc, char **argv);

#endif
