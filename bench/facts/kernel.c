/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const struct read_row rows[] = {
        {"kernel.release", READ_PROC, "sys/kernel/osrelease"     },
        {"kernel.version", READ_PROC, "sys/kernel/version"       },
        {"kernel.boot_id", READ_PROC, "sys/kernel/random/boot_id"},
        {"kernel.cmdline", READ_PROC, "cmdline"                  },
        {"kernel.tainted", READ_PROC, "sys/kernel/tainted"       },
};

/* The id that the linker gave this kernel: the ELF note "GNU" of type 3 (elf(5)). */
static char *build_id_dup(const struct facts_world *w)
{
	struct xcs_buf notes = {0}, hex = {0};
	uint32_t head[3]; /* name size, description size, type */
	char *id = NULL;
	int rc = xcs_sys_read(w->env, "kernel/notes", &notes);

	for (size_t at = 0; rc == 0 && !id && at + sizeof(head) <= notes.n;) {
		memcpy(head, notes.p + at, sizeof(head));
		size_t name = ((size_t)head[0] + 3U) & ~(size_t)3;
		size_t desc = ((size_t)head[1] + 3U) & ~(size_t)3;
		at += sizeof(head);
		if (name > notes.n - at || desc > notes.n - at - name)
			break;
		bool is_id = head[2] == 3 && head[0] == 4 && memcmp(notes.p + at, "GNU", 4) == 0;
		for (size_t i = 0; is_id && i < head[1]; i++)
			xcs_buf_printf(&hex, "%02x", (unsigned char)notes.p[at + name + i]);
		if (is_id && hex.n)
			id = xcs_buf_take(&hex);
		at += name + desc;
	}
	xcs_buf_fini(&hex);
	xcs_buf_fini(&notes);
	return id;
}

/*
 * init/version.c prints "Linux version RELEASE (USER@HOST) (COMPILER, LINKER) #1 SMP ...",
 * and the compiler's own text has brackets. Before 5.8 it was "(gcc version ...)".
 */
struct xcs_str facts_compiler(struct xcs_str banner)
{
	static const struct xcs_str none = {"", 0};
	size_t at = 0, n = 0;
	int depth = 1;

	for (; at + 3 <= banner.n; at++)
		if (memcmp(banner.p + at, ") (", 3) == 0)
			break;
	if (at + 3 > banner.n)
		return none;
	for (at += 3; at + n < banner.n && depth; n++)
		depth += banner.p[at + n] == '(' ? 1 : banner.p[at + n] == ')' ? -1 : 0;
	return depth || n < 2 ? none : (struct xcs_str){banner.p + at, n - 1};
}

static char *compiler_dup(const struct facts_world *w)
{
	char *banner = read_line_dup(w, READ_PROC, "version");
	struct xcs_str compiler = facts_compiler(xcs_str(banner));
	char *value = compiler.n ? xcs_xasprintf("%.*s", (int)compiler.n, compiler.p) : NULL;

	free(banner);
	return value;
}

void facts_kernel(const struct facts_world *w, struct xcs_facts *facts)
{
	struct utsname u;

	read_rows(w, rows, ARRAY_LEN(rows), facts);
	xcs_facts_take(facts, "kernel.build_id", build_id_dup(w), "sys:kernel/notes");
	xcs_facts_take(facts, "kernel.compiler", compiler_dup(w), "proc:version");
	xcs_facts_set(facts, "machine.arch", uname(&u) ? NULL : u.machine, "uname");
}
