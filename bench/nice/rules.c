/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rules.h"

#include <common/alloc.h>

#include <errno.h>
#include <string.h>

enum {
	PID_MAX = 4 * 1024 * 1024, /* PID_MAX_LIMIT, include/linux/threads.h */
	TTY_MAJOR = 4              /* virtual terminals: Documentation/admin-guide/devices.txt */
};

/* Display servers and compositors, by the names of their program files. */
static const char *const names[] = {
        "Xorg",     "Xvfb",   "Xephyr", "Xwayland", "gnome-shell", "mutter",  "kwin_wayland",
        "kwin_x11", "picom",  "compiz", "xcompmgr", "cinnamon",    "muffin",  "xfwm4",
        "marco",    "weston", "sway",   "labwc",    "wayfire",     "Hyprland"};

static bool is_listed(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool read_number(struct xcs_str text, uint64_t max, uint64_t *v)
{
	return text.n > 0 && text.n <= 20 && xcs_str_u64(text, v) == 0 && *v > 0 && *v <= max;
}

static bool read_nice(const char *text, int *nice)
{
	int64_t v;

	if (text[0] == '+' || xcs_str_i64(xcs_str(text), &v) || v < -20 || v > 19)
		return false;
	*nice = (int)v;
	return true;
}

static bool read_tids(const char *text, struct nice_request *r)
{
	struct xcs_str rest = xcs_str(text), part;
	uint64_t v;

	while (xcs_str_next_part(&rest, ',', &part)) {
		if (r->n_tids == NICE_TIDS_MAX || !read_number(part, PID_MAX, &v))
			return false;
		r->tids[r->n_tids++] = (pid_t)v;
	}
	return r->n_tids > 0 && rest.p[-1] != ','; /* nothing stands behind it */
}

int nice_request_read(struct nice_request *r, int argc, char *const *argv, struct xcs_err *err)
{
	uint64_t pid, start_ticks;

	*r = (struct nice_request){0};
	if (argc != 5)
		return xcs_err_set(err, -EINVAL,
		                   "give PID START_TICKS NICE TID[,TID]...; see xcsbench-nice(1)");
	if (!read_number(xcs_str(argv[1]), PID_MAX, &pid) || pid == 1)
		return xcs_err_set(err, -EINVAL, "the first word is no process id");
	if (!read_number(xcs_str(argv[2]), UINT64_MAX, &start_ticks))
		return xcs_err_set(err, -EINVAL, "the second word is no start time in ticks");
	if (!read_nice(argv[3], &r->nice))
		return xcs_err_set(err, -EINVAL, "the third word is no nice value from -20 to 19");
	if (!read_tids(argv[4], r))
		return xcs_err_set(err, -EINVAL, "the fourth word is no list of 1 to %d thread ids",
		                   NICE_TIDS_MAX);
	r->pid = (pid_t)pid;
	r->start_ticks = start_ticks;
	return 0;
}

/* Where only root can put a file; elsewhere a link or a mount may lend its name to another. */
static bool is_of_system(const char *path)
{
	static const char *const folders[] = {"/usr/bin/", "/usr/lib/xorg/", "/usr/libexec/",
	                                      "/usr/local/bin/"};

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		size_t n = strlen(folders[i]);
		if (strncmp(path, folders[i], n) == 0)
			return is_listed(path + n);
	}
	return false;
}

static bool is_own_server(const struct nice_target *t, const struct nice_caller *c)
{
	return t->uid == c->uid && t->euid == c->uid && t->exe_is_roots && is_of_system(t->exe);
}

/* A name can be chosen by whoever starts a program; a virtual terminal of the seat that one
 * is the active user of cannot. */
static bool is_seat_server(const struct nice_target *t, const struct nice_caller *c)
{
	return t->uid == 0 && t->euid == 0 && is_listed(t->comm) && t->tty_major == TTY_MAJOR &&
	       c->owns_seat;
}

int nice_check(const struct nice_request *r, const struct nice_target *t,
               const struct nice_caller *c, struct xcs_err *err)
{
	if (t->start_ticks != r->start_ticks)
		return xcs_err_set(err, -ESRCH,
		                   "process %d is not the one that started at %llu ticks",
		                   (int)r->pid, (unsigned long long)r->start_ticks);
	if (is_own_server(t, c) || is_seat_server(t, c))
		return 0;
	return xcs_err_set(err, -EPERM,
	                   "process %d is neither a display server or compositor of yours nor "
	                   "one of the seat that you use",
	                   (int)r->pid);
}

bool nice_seat_is_of(struct xcs_str seat, uid_t uid)
{
	struct xcs_str line;
	uint64_t v;

	while (xcs_str_next_line(&seat, &line))
		if (xcs_str_starts(line, "ACTIVE_UID=") &&
		    xcs_str_u64((struct xcs_str){line.p + 11, line.n - 11}, &v) == 0)
			return v == uid;
	return false;
}
