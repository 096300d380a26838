/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part of a terminal that reads bytes: enough of ECMA-48 for floods of lines. It
 * keeps no screen and draws nothing; whoever owns those gets called back.
 */
#ifndef XCS_EMU_H
#define XCS_EMU_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emu_query {
	EMU_STATUS,   /* ESC [ 5 n, answered by ESC [ 0 n */
	EMU_POSITION, /* ESC [ 6 n, answered by ESC [ row ; column R */
};

struct emu_ops {
	void (*text)(void *data, const char *run, size_t n_bytes); /* printable ASCII */
	void (*control)(void *data, char c);                       /* one of \n \r \t \b */
	void (*query)(void *data, enum emu_query query);
};

enum emu_state {
	EMU_GROUND,
	EMU_ESCAPE,        /* behind ESC */
	EMU_ESCAPE_MIDDLE, /* behind ESC and an intermediate byte, such as ESC ( */
	EMU_CSI,           /* behind ESC [ */
	EMU_STRING,        /* OSC, DCS, PM, APC: up to BEL or ESC \ */
	EMU_STRING_ESCAPE, /* behind an ESC in a string */
};

struct emu {
	enum emu_state state; /* a zeroed struct is a terminal in its ground state */
	unsigned param;       /* last number of the control sequence */
	bool plain;           /* it held digits only, so it is a query if it ends in n */
};

/*
 * Reads n_bytes, which may end in the middle of a sequence. Sequences other than the two
 * queries are skipped. A character beyond ASCII (UTF-8) gives one question mark.
 */
void emu_feed(struct emu *emu, const char *bytes, size_t n_bytes, const struct emu_ops *ops,
              void *data);

#ifdef __cplusplus
}
#endif
#endif
