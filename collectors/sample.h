/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the program xcs-sample: its options and its three ways to work.
 */
#ifndef XCS_SAMPLE_H
#define XCS_SAMPLE_H

#include <collectors/recorder.h>
#include <common/options.h>

struct sample_options {
	int64_t interval_ns;
	int n;
	struct xcs_ints pids;
	struct xcs_strs comms, cgroups;
	bool json, csv;
	const char *record;
	bool hold;
	struct xcs_strs watch, pages;
	struct xcs_cpuset cpus, pin;
	const char *proc_root, *then_root, *interval_s;
	bool once;
	int ticks_per_s;
};

/* Each prints its results, fills err and returns an exit status of enum xcs_exit. */
int sample_once(const struct sample_options *o, struct xcs_err *err);
int sample_record(const struct sample_options *o, struct xcs_recorder_stop *stop,
                  struct xcs_err *err);
int sample_live(const struct sample_options *o, struct xcs_recorder_stop *stop,
                struct xcs_err *err);

#endif
