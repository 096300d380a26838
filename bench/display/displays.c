/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <display/displays.h>

#include <common/alloc.h>
#include <common/buf.h>
#include <common/task.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKETS "%s/.X11-unix"

/* What follows the host, which a local display has not; NULL: it has one. */
static const char *behind_host(const char *display)
{
	if (strncmp(display, "unix:", 5) == 0)
		return display + 5;
	if (display[0] == '/')
		return display;
	return display[0] == ':' ? display + 1 : NULL;
}

bool displays_is_local(const char *display)
{
	return behind_host(display);
}

int displays_number(const char *display)
{
	const char *at = behind_host(display), *slash = at ? strrchr(at, '/') : NULL;
	struct xcs_str rest, digits;
	uint64_t v;

	if (slash)
		at = slash[1] == 'X' ? slash + 2 : NULL;
	rest = xcs_str(at);
	if (!xcs_str_next_part(&rest, '.', &digits) || xcs_str_u64(digits, &v) || v > INT_MAX)
		return -1;
	return (int)v;
}

/* Servers listen on the file and, unless told not to, on an abstract socket of its name. */
static bool is_listened_on(const char *path, bool is_abstract)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t n = strlen(path), first = is_abstract;

	if (first + n >= sizeof(at.sun_path))
		return false;
	memcpy(at.sun_path + first, path, n);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return true;
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + first + n);
	bool is = connect(fd, (const struct sockaddr *)&at, size) == 0 ||
	          (errno != ENOENT && errno != ENOTDIR && errno != ECONNREFUSED);
	close(fd);
	return is;
}

bool displays_is_served(const char *tmp, const char *display)
{
	const char *at = behind_host(display);

	if (at && at[0] == '/')
		return is_listened_on(at, false);
	char *path = xcs_xasprintf(SOCKETS "/X%d", tmp, displays_number(display));
	bool is = is_listened_on(path, true) || is_listened_on(path, false);
	free(path);
	return is;
}

char *displays_list_dup(const char *tmp)
{
	char *dir = xcs_xasprintf(SOCKETS, tmp);
	struct dirent **names = NULL;
	struct xcs_buf list = {0};
	int n = scandir(dir, &names, NULL, versionsort);

	for (int i = 0; i < n; i++) {
		char *display = xcs_xasprintf(":%s", names[i]->d_name + 1);
		if (names[i]->d_name[0] == 'X' && displays_number(display) >= 0 &&
		    displays_is_served(tmp, display))
			xcs_buf_printf(&list, "%s%s", list.n ? ", " : "", display);
		free(display);
		free(names[i]);
	}
	free(names);
	free(dir);
	return list.n ? xcs_buf_take(&list) : xcs_xstrdup("none");
}

bool displays_is_server_name(const char *comm)
{
	static const char *const names[] = {"X",    "Xorg",      "Xorg.bin", "Xorg.wrap",
	                                    "Xvfb", "Xnest",     "Xephyr",   "Xwayland",
	                                    "Xvnc", "Xtigervnc", "XWin",     "Xdummy"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(comm, names[i]) == 0)
			return true;
	return false;
}

/* "%10d\n" (os/utils.c of the X server). Anybody may put a file there: no link is followed,
 * and a pipe is not waited for. */
static pid_t read_lock(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[32];
	struct stat st;
	uint64_t v = 0;

	if (fd < 0)
		return 0;
	ssize_t n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, text, sizeof(text)) : 0;
	close(fd);
	bool known = n > 0 && xcs_str_u64(xcs_str_trim((struct xcs_str){text, (size_t)n}), &v) == 0;
	return known && v <= INT_MAX ? (pid_t)v : 0;
}

pid_t displays_lock_holder(const char *tmp, const struct xcs_env *env, int number)
{
	char *path = xcs_xasprintf("%s/.X%d-lock", tmp, number);
	pid_t pid = read_lock(path);
	struct xcs_task_id id;
	bool serves = pid > 0 && xcs_task_id_read(env, pid, pid, &id) == 0 && id.state != 'Z' &&
	              displays_is_server_name(id.comm);

	free(path);
	return serves ? pid : 0;
}
