/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Texts that went through mailers, archives and terminals, made plain again.
 */
#ifndef XCS_IMPORT_MAIL_H
#define XCS_IMPORT_MAIL_H

#include <common/buf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A line of its own where bytes are missing: stands for a run of NULs. */
#define XCS_MAIL_CUT "\001"

struct xcs_mail_report {
	size_t n_nul_bytes; /* a crash or a full disk cut the text there */
	bool skipped_html;  /* an HTML part was left out */
	bool decoded;       /* quoted-printable or base64 */
	bool looks_binary;  /* nothing was decoded: no text at all */
	bool no_newline;    /* the last line may have been cut */
};

/*
 * Decodes a mail, an mbox or plain text: quoted-printable (declared by a header, or seen by
 * its soft breaks) and base64, per MIME part; leaves out HTML parts; CRLF becomes LF, a
 * no-break space a space, terminal colours nothing, a run of NULs the line XCS_MAIL_CUT.
 * Never fails: what it does not understand it copies.
 */
void xcs_mail_decode(struct xcs_str text, struct xcs_buf *out, struct xcs_mail_report *report);

/* The line without its quote marks ("> > ", ">>", "| ", "mt> "); *depth tells how many. */
struct xcs_str xcs_mail_unquote(struct xcs_str line, int *depth);

/* True for the line that separates a signature ("-- "), quote marks removed. */
bool xcs_mail_is_signature(struct xcs_str line);

#ifdef __cplusplus
}
#endif
#endif
