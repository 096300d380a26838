/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the numbers of a run depend on, read from the machine: each fact with the file that
 * answered. What cannot be read is a fact without a value, never left out, so that a
 * report can tell "unknown" from "not asked".
 */
#ifndef XCS_FACTS_H
#define XCS_FACTS_H

#include <common/env.h>
#include <common/paths.h>
#include <record/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where to look. */
struct facts_world {
	const struct xcs_env *env;
	const char *root; /* folder that holds etc/, boot/ and lib/; NULL: the machine's own */
	bool is_saved;    /* a saved tree: ask no program and not the kernel's log */
};

/* kernel.release, .version, .boot_id, .cmdline, .tainted, .build_id, .compiler. */
void facts_kernel(const struct facts_world *w, struct xcs_facts *facts);

/*
 * kernel.hz, .preempt_config, .autogroup and others of the kernel's configuration, the
 * part of it that concerns scheduling and time (kernel.config_subset), and a hash of it all
 * (kernel.config_hash: FNV-1a, 64 bits, over its lines that set an option). Read from
 * config.gz in /proc, else from where distributions put it.
 */
void facts_config(const struct facts_world *w, struct xcs_facts *facts);

/*
 * sched.class (EEVDF, CFS, BORE, BMQ, PDS, MuQSS, BFS, or the name of a sched_ext
 * scheduler), sched.ext, sched.ext_ops, sched.ext_enable_seq, sched.preempt,
 * sched.base_slice_ns, sched.autogroup, sched.schedstats. Reads kernel.* of `host`.
 */
void facts_scheduler(const struct facts_world *w, const struct xcs_facts *host,
                     struct xcs_facts *facts);

/* sched.ext, sched.ext_ops and sched.ext_enable_seq alone (kernel/sched/ext.c in sysfs). */
void facts_sched_ext(const struct facts_world *w, struct xcs_facts *facts);

/* cpu.*, memory.total, machine.*, gpu.*: what the machine is made of. */
void facts_machine(const struct facts_world *w, struct xcs_facts *facts);

/* cpu.governor and its like, power.*, thermal.*, memory.swap_used, load.average: what may
 * change while it runs. */
void facts_power(const struct facts_world *w, struct xcs_facts *facts);

/* distribution, glibc, and the versions of the programs that a run uses, asked as `user`. */
void facts_software(const struct facts_world *w, const struct xcs_user *user,
                    struct xcs_facts *facts);

/*
 * mesa.version: what the X server of that pid draws by, from the name of the library that it
 * has mapped, else of the installed package; "not used by the server" where it maps none.
 */
void facts_mesa(const struct facts_world *w, pid_t server_pid, struct xcs_facts *facts);

/* The version in the name of Mesa's library in a /proc/PID/maps: ".../libgallium-24.2.4.so"
 * gives "24.2.4". Borrowed; empty when there is none. */
struct xcs_str facts_mesa_version(struct xcs_str maps);

/* The setting that is in use where the kernel lists all and marks one: "none (full) lazy"
 * or "[mq-deadline] none" gives "full", "mq-deadline". Borrowed; empty when none is. */
struct xcs_str facts_chosen(struct xcs_str list);

/* The compiler in the kernel's banner (/proc/version), without who built it and where:
 * "gcc (GCC) 15.3.0, GNU ld 2.46". Borrowed; empty when the text has another form. */
struct xcs_str facts_compiler(struct xcs_str banner);

#ifdef __cplusplus
}
#endif
#endif
