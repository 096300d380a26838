/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "feed.h"

#include <common/counters.h>
#include <terminal/feed_tty.h>

#include <errno.h>
#include <unistd.h>

enum {
	COLUMNS = 80 /* of lines of typed text, where the terminal does not tell */
};

/* Shows what was typed, a line feed at the end of each line. */
static int show(const char *keys, size_t n, size_t columns, uint64_t *n_shown, struct xcs_err *err)
{
	for (size_t i = 0; i < n; i++) {
		ssize_t wrote = write(STDOUT_FILENO, &keys[i], 1);
		++*n_shown;
		if (wrote == 1 && *n_shown % columns == 0)
			wrote = write(STDOUT_FILENO, "\n", 1);
		if (wrote < 0 && errno != EINTR && errno != EAGAIN)
			return xcs_err_sys(err, -errno, "cannot echo to standard output");
	}
	return 0;
}

static int echo_on(int socket_fd, struct xcs_counters_page *page, struct xcs_err *err)
{
	size_t columns = feed_tty_columns(COLUMNS) - 1;
	uint64_t n_shown = 0;
	char keys[256];
	int rc = 0;

	while (rc == 0 && !feed_must_stop(socket_fd)) {
		ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return xcs_err_sys(err, -errno, "cannot read what was typed");
		if (n < 0)
			continue;
		rc = show(keys, (size_t)n, columns > 0 ? columns : 1, &n_shown, err);
		if (page)
			xcs_counters_add(page, XCS_COUNTER_KEYS, (uint64_t)n);
	}
	return rc;
}

int feed_echo(int socket_fd, struct xcs_counters_page *page, struct xcs_err *err)
{
	struct feed_tty tty = {0};
	int rc = feed_listen_for_end(socket_fd, err);

	if (page)
		xcs_counters_add(page, XCS_COUNTER_KEYS, 0);
	if (rc == 0)
		rc = feed_tty_open(&tty, err);
	if (rc == 0)
		rc = echo_on(socket_fd, page, err);
	feed_tty_close(&tty);
	feed_ignore_signals();
	return rc;
}
