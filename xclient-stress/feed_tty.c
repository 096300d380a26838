/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/env.h>
#include <common/units.h>
#include <terminal/feed_tty.h>

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The device status report that all terminals answer: where the cursor is, which is of no
 * interest. st 0.9 has no answer to the shorter ESC [ 5 n. */
static const char question[] = "\033[6n";

int feed_tty_open(struct feed_tty *tty, struct xcs_err *err)
{
	struct termios raw;

	*tty = (struct feed_tty){.is_tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
	if (!tty->is_tty)
		return 0;
	if (tcgetattr(STDIN_FILENO, &tty->saved)) {
		tty->is_tty = false;
		return xcs_err_sys(err, -errno, "cannot read the modes of the terminal");
	}
	raw = tty->saved;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw))
		return xcs_err_sys(err, -errno, "cannot set the modes of the terminal");
	return 0;
}

void feed_tty_close(const struct feed_tty *tty)
{
	if (tty->is_tty)
		tcsetattr(STDIN_FILENO, TCSANOW, &tty->saved);
}

size_t feed_tty_columns(size_t otherwise)
{
	struct winsize ws;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || ws.ws_col == 0 ? otherwise : ws.ws_col;
}

bool feed_tty_is_answer(unsigned *state, const char *bytes, size_t n_bytes)
{
	enum {
		NOTHING,
		ESCAPE,
		BRACKET,
		ROW,
		SEMICOLON,
		COLUMN
	};

	for (size_t i = 0; i < n_bytes; i++) {
		char c = bytes[i];
		bool digit = c >= '0' && c <= '9';
		if (c == 'R' && *state == COLUMN) {
			*state = NOTHING;
			return true;
		}
		if (c == '\033')
			*state = ESCAPE;
		else if (c == '[' && *state == ESCAPE)
			*state = BRACKET;
		else if (digit && (*state == BRACKET || *state == ROW))
			*state = ROW;
		else if (c == ';' && *state == ROW)
			*state = SEMICOLON;
		else if (digit && (*state == SEMICOLON || *state == COLUMN))
			*state = COLUMN;
		else
			*state = NOTHING;
	}
	return false;
}

/* Waits until the terminal takes or has bytes. Returns 0, -ETIMEDOUT or -errno. */
static int wait_for(int fd, short events, int64_t deadline_mono_ns)
{
	struct pollfd p = {.fd = fd, .events = events};

	for (;;) {
		int64_t left_ns = deadline_mono_ns - xcs_mono_now_ns();
		if (left_ns <= 0)
			return -ETIMEDOUT;
		struct timespec wait = {.tv_sec = left_ns / XCS_NS_PER_S,
		                        .tv_nsec = left_ns % XCS_NS_PER_S};
		int n = ppoll(&p, 1, &wait, NULL);
		if (n > 0)
			return p.revents & events ? 0 : -EIO;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

static int ask(int64_t deadline_mono_ns)
{
	for (size_t at = 0; at < sizeof(question) - 1;) {
		int rc = wait_for(STDOUT_FILENO, POLLOUT, deadline_mono_ns);
		if (rc)
			return rc;
		ssize_t n = write(STDOUT_FILENO, question + at, sizeof(question) - 1 - at);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n > 0)
			at += (size_t)n;
	}
	return 0;
}

int feed_tty_confirm(const struct feed_tty *tty, int64_t deadline_mono_ns)
{
	char bytes[256];
	unsigned state = 0;

	if (!tty->is_tty)
		return -ENOTTY;
	tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before is no answer */
	int rc = ask(deadline_mono_ns);
	while (rc == 0) {
		rc = wait_for(STDIN_FILENO, POLLIN, deadline_mono_ns);
		ssize_t n = rc ? 0 : read(STDIN_FILENO, bytes, sizeof(bytes));
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n > 0 && feed_tty_is_answer(&state, bytes, (size_t)n))
			return 0;
		if (rc == 0 && n == 0)
			return -EIO;
	}
	return rc;
}
