/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <terminal/emu.h>

enum {
	BEL = 0x07,
	ESC = 0x1b,
	PARAM_MAX = 9999
};

static bool is_printable(char c)
{
	return c >= 0x20 && c < 0x7f;
}

static bool is_control(char c)
{
	return c == '\n' || c == '\r' || c == '\t' || c == '\b';
}

/* Takes one run of printable bytes, or one byte. Returns how many it took. */
static size_t ground(struct emu *emu, const char *p, size_t n, const struct emu_ops *ops,
                     void *data)
{
	size_t run = 0;

	while (run < n && is_printable(p[run]))
		run++;
	if (run) {
		ops->text(data, p, run);
		return run;
	}
	unsigned char c = (unsigned char)p[0];
	if (c == ESC)
		emu->state = EMU_ESCAPE;
	else if (is_control(p[0]))
		ops->control(data, p[0]);
	else if (c >= 0xc0) /* the lead byte stands for the character, the others are skipped */
		ops->text(data, "?", 1);
	return 1;
}

static void escape(struct emu *emu, char c)
{
	switch (c) {
	case '[':
		emu->state = EMU_CSI;
		emu->param = 0;
		emu->plain = true;
		break;
	case ']':
	case 'P':
	case '^':
	case '_':
		emu->state = EMU_STRING;
		break;
	case ESC:
		break;
	default:
		emu->state = c >= 0x20 && c < 0x30 ? EMU_ESCAPE_MIDDLE : EMU_GROUND;
	}
}

static void csi(struct emu *emu, char c, const struct emu_ops *ops, void *data)
{
	if (c >= '0' && c <= '9') {
		emu->param = emu->param * 10 + (unsigned)(c - '0');
		if (emu->param > PARAM_MAX)
			emu->param = PARAM_MAX;
	} else if (c >= 0x20 && c < 0x40) {
		emu->plain = false;
	} else if (c == ESC) {
		emu->state = EMU_ESCAPE;
	} else if (is_control(c)) {
		ops->control(data, c); /* ECMA-48: controls work inside sequences */
	} else {
		emu->state = EMU_GROUND;
		if (c == 'n' && emu->plain && emu->param == 5)
			ops->query(data, EMU_STATUS);
		else if (c == 'n' && emu->plain && emu->param == 6)
			ops->query(data, EMU_POSITION);
	}
}

static void string(struct emu *emu, char c)
{
	if (c == BEL)
		emu->state = EMU_GROUND;
	else if (c == ESC)
		emu->state = EMU_STRING_ESCAPE;
	else if (emu->state == EMU_STRING_ESCAPE)
		emu->state = c == '\\' ? EMU_GROUND : EMU_STRING;
}

void emu_feed(struct emu *emu, const char *bytes, size_t n_bytes, const struct emu_ops *ops,
              void *data)
{
	for (size_t i = 0; i < n_bytes;) {
		switch (emu->state) {
		case EMU_GROUND:
			i += ground(emu, bytes + i, n_bytes - i, ops, data);
			continue;
		case EMU_ESCAPE:
			escape(emu, bytes[i]);
			break;
		case EMU_ESCAPE_MIDDLE:
			if (bytes[i] < 0x20 || bytes[i] >= 0x30)
				emu->state = EMU_GROUND;
			break;
		case EMU_CSI:
			csi(emu, bytes[i], ops, data);
			break;
		case EMU_STRING:
		case EMU_STRING_ESCAPE:
			string(emu, bytes[i]);
			break;
		}
		i++;
	}
}
