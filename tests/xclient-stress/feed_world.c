/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "feed_world.h"

#include <common/counters.h>
#include <common/err.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct xcs_err err;

	snprintf(w->dir, sizeof(w->dir), "/tmp/xcs-feed-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	snprintf(w->socket, sizeof(w->socket), "%s/socket", w->dir);
	snprintf(w->page, sizeof(w->page), "%s/page", w->dir);
	assert_int_equal(xcs_counters_create(w->page, &err), 0);
	memcpy(at.sun_path, w->socket, strlen(w->socket) + 1);
	w->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(w->listen_fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(w->listen_fd, 4), 0);
	w->runner_fd = -1;
	*state = w;
	return 0;
}

int end_world(void **state)
{
	struct world *w = *state;

	pty_close(&w->pty, 0);
	close(w->listen_fd);
	if (w->runner_fd >= 0)
		close(w->runner_fd);
	unlink(w->socket);
	unlink(w->page);
	rmdir(w->dir);
	xcs_buf_fini(&w->heard);
	free(w);
	return 0;
}

bool is_ready(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, timeout_ms) > 0;
}

void start(struct world *w, const char *const *argv)
{
	struct xcs_err err;

	assert_int_equal(pty_start(&w->pty, argv, NULL, (struct pty_size){2, 80, 1, 1}, &err), 0);
}

void meet(struct world *w, const char *hello)
{
	char word[64] = "";

	assert_true(is_ready(w->listen_fd, 20000));
	w->runner_fd = accept(w->listen_fd, NULL, NULL);
	assert_true(w->runner_fd >= 0 && is_ready(w->runner_fd, 20000));
	assert_true(recv(w->runner_fd, word, sizeof(word) - 1, 0) > 0);
	assert_string_equal(word, hello);
}

void go(struct world *w)
{
	assert_int_equal(send(w->runner_fd, "go", 2, 0), 2);
}

static void on_text(void *data, const char *run, size_t n)
{
	struct world *w = data;

	(void)run;
	w->n_bytes += w->is_asked ? 0 : n;
}

static void on_control(void *data, char c)
{
	struct world *w = data;

	if (c != '\n' || w->is_asked)
		return;
	w->n_lines++;
	w->n_bytes++;
}

static void on_query(void *data, enum emu_query query)
{
	struct world *w = data;

	assert_int_equal(query, EMU_POSITION);
	w->is_asked = true;
	if (!w->is_silent)
		assert_int_equal(write(w->pty.master_fd, "\033[2;1R", 6), 6);
}

bool terminal_reads(struct world *w)
{
	static const struct emu_ops ops = {on_text, on_control, on_query};
	char bytes[4096];

	if (!is_ready(w->pty.master_fd, 20000))
		return false;
	ssize_t n = read(w->pty.master_fd, bytes, sizeof(bytes));
	if (n <= 0)
		return n < 0 && errno == EAGAIN;
	emu_feed(&w->emu, bytes, (size_t)n, &ops, w);
	return true;
}

void hear_total(struct world *w)
{
	char text[256] = "";

	assert_true(is_ready(w->runner_fd, 20000));
	assert_true(recv(w->runner_fd, text, sizeof(text) - 1, 0) > 0);
	xcs_buf_puts(&w->heard, text);
}

int exit_status(struct world *w)
{
	assert_true(is_ready(w->pty.pidfd, 20000));
	int status = pty_close(&w->pty, WAIT_NS);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
