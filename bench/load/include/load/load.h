/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load of one trial: N clients of the X server (real xterms or our own flood), each
 * with a feeder on its pty. A feeder announces itself on a socket, so its pid comes from
 * the kernel, and holds until all clients are there.
 */
#ifndef LOAD_H
#define LOAD_H

#include <display/watch.h>
#include <display/xserver.h>
#include <load/placement.h>
#include <scenario/scenario.h>

#include <common/child.h>
#include <common/counters.h>
#include <record/run.h>

struct guard;

struct load_spec {
	const struct xcs_run_load *load;
	const struct xserver *server;
	const char *dir; /* scratch folder for the socket and the counter pages */
	const char *cwd; /* of commands; or NULL */
	int width_px, height_px;
	const struct xcs_user *user;
	const struct xcs_cpuset *cpus;
	const struct placement *placement;
	bool set_nice;     /* else clients and feeders inherit ours */
	int nice_shift;    /* added to the nice level of each client: relative mode */
	bool by_autogroup; /* the autogroups of clients and feeders get their level too */
	const struct xcs_env *env;
	struct guard *guard; /* kills clients and feeders if we die first */
	struct watch *watch;
};

enum {
	LOAD_CLIENTS_MAX = SCENARIO_CLIENTS_MAX + 1
};

struct load_client {
	struct xcs_child child;
	int feeder_fd; /* its announcement; -1: none yet */
	pid_t feeder_pid;
	pid_t command_pid;  /* 0: its feeder runs no command */
	pid_t terminal_pid; /* the process that draws, where that is not the child; else 0 */
	uint64_t client_start_ticks, feeder_start_ticks, command_start_ticks, terminal_start_ticks;
	char role[24], feeder_role[24], command_role[24];
	char *client_page, *feeder_page;    /* paths; NULL when that side keeps no counters */
	struct xcs_counters_page *counters; /* the feeder's, mapped; or NULL */
};

#define LOAD_TYPED "typed" /* role and window of the terminal that is typed into */

struct load {
	struct load_client clients[LOAD_CLIENTS_MAX];
	size_t n; /* the last of them is the one that is typed into, if any */
	int listen_fd;
	char *socket_path;
	const struct load_spec *spec; /* borrowed */
};

/* The process that reads the pty and draws. */
pid_t load_client_pid(const struct load_client *c);

/* Starts all clients and waits until each feeder has announced itself. Returns 0 or -errno
 * (-EINTR: see the watch). load_stop must follow in any case. */
int load_start(struct load *l, const struct load_spec *spec, struct xcs_err *err) XCS_MUST_CHECK;

/* Lets the feeders begin. Returns 0 or -errno. */
int load_go(struct load *l, struct xcs_err *err) XCS_MUST_CHECK;

/* Stops the feeders where they are, so that the server comes to rest. */
void load_pause(const struct load *l);

/* Lines that all feeders have written; false when a feeder does not count (yes). */
bool load_lines(const struct load *l, uint64_t *lines);

/* Keys that the terminal that is typed into has echoed; false when there is none. */
bool load_keys(const struct load *l, uint64_t *keys);

/* Makes a counter page that the user's processes may write; it belongs to one trial. The
 * caller frees *path. Returns 0 or -errno. */
int load_make_page(const struct load_spec *s, const char *role, char **path,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Which client has ended and how: "client1 was killed by signal 9 (Killed)"; false: none. */
bool load_ended(struct load *l, struct xcs_buf *how);

/* Ends feeders (they confirm their last line), then clients; nothing of them is left. The
 * feeders' totals go to *written and *confirmed, unknown unless all of them told. */
void load_stop(struct load *l, struct xcs_num *written, struct xcs_num *confirmed);

/* The nice level of client i. */
int load_nice(const struct load_spec *s, int i);

/* Gives the autogroup of a process that the load started its level, where by_autogroup is set
 * and the level is not 0; a process that has ended is left to the watch. Returns 0 or -errno. */
int load_level_group(const struct load_spec *spec, pid_t pid, int nice,
                     struct xcs_err *err) XCS_MUST_CHECK;

/* Do all windows of the load fit a screen side by side? A covered window draws less. */
bool load_fits(const struct xcs_run_load *load, int width_px, int height_px);

/* Where the window of client i belongs. */
void load_place(const struct load_spec *spec, int i, int *x_px, int *y_px);

/* What is pinned on the client's command line, for the record: run_load->settings. */
void load_describe(struct xcs_run_load *load);

#endif
