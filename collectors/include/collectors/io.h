/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/PID/io (fs/proc/base.c): what the process has read and written by
 * system calls, ended threads included. Needs its uid, or root.
 */
#ifndef XCS_IO_H
#define XCS_IO_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_io {
	int64_t rchar_bytes, wchar_bytes;
	int64_t n_reads, n_writes;
};

/* Returns 0, or -EINVAL when there is neither rchar nor wchar. */
int xcs_io_parse(struct xcs_str text, struct xcs_io *out);

#ifdef __cplusplus
}
#endif
#endif
