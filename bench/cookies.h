/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cookie files of a session's X server, for whoever has DISPLAY but no XAUTHORITY, as under
 * sudo, from cron or over ssh. They are candidates: only the server says which one is right.
 */
#ifndef COOKIES_H
#define COOKIES_H

#include <common/paths.h>

#include <stddef.h>

enum {
	COOKIES_MAX = 16
};

struct cookies {
	char *path[COOKIES_MAX]; /* owned */
	size_t n;
};

/*
 * Looks, with the user's rights, where gdm, startx, lightdm, sddm, mutter and kwin keep them;
 * `runtime` is the user's runtime directory, `tmp` the machine's /tmp. Only regular files that
 * the user or root owns, in a fixed order. Returns 0 or -errno; cookies_fini must follow.
 */
int cookies_find(struct cookies *out, const struct xcs_user *user, const char *runtime,
                 const char *tmp, struct xcs_err *err) XCS_MUST_CHECK;

void cookies_fini(struct cookies *c);

#endif
