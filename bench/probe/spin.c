/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-spin: waits for a line on standard input, then burns CPU until that is closed.
 */
#include <common/options.h>

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static const struct xcs_option options[] = {
        {NULL, 0, XCS_OPT_FLAG, 0, NULL, NULL, 0, 0, NULL},
};

static const struct xcs_command command = {
        .name = "xcs-spin",
        .summary = "Waits for a line on standard input, then burns CPU until that is closed.",
        .operands = "",
        .options = options,
        .notes = "The nice probe of `xcsbench run` starts two of them.",
};

/* A few milliseconds of work that no compiler may leave out. */
static void burn(void)
{
	for (volatile uint32_t i = 0; i < 1U << 21; i++)
		;
}

int main(int argc, char **argv)
{
	struct xcs_strs operands;
	char unused;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int status = xcs_options_main(&command, argc, argv, &unused, &operands);
	char c = 0;

	if (status >= 0)
		return status;
	while (c != '\n')
		if (read(STDIN_FILENO, &c, 1) != 1)
			return XCS_EXIT_OK;
	do
		burn();
	while (poll(&p, 1, 0) == 0 || (!(p.revents & POLLHUP) && read(STDIN_FILENO, &c, 1) == 1));
	return XCS_EXIT_OK;
}
