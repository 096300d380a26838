/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Header fields of a mail (RFC 5322, RFC 2047). Private to reports/.
 */
#ifndef XCS_RENDER_MAIL_H
#define XCS_RENDER_MAIL_H

#include <common/buf.h>

#include <stdint.h>

/* "NAME: TEXT" of plain ASCII, folded at blanks where it gets longer than 76 columns. */
void mail_field(struct xcs_buf *out, const char *name, const char *text);

/* An address, "user@host" or "Name <user@host>": the name is quoted or encoded as it needs. */
void mail_address_field(struct xcs_buf *out, const char *name, const char *address);

/* "Date: Thu, 09 Oct 2025 08:53:20 +0000" */
void mail_date_field(struct xcs_buf *out, int64_t wall_ns);

#endif
