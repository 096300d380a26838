/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cookie files of a session's X server, for whoever has DISPLAY but no XAUTHORITY, as under
 * sudo, from cron or over ssh. They are candidates: only the server says which one is right.
 */
#ifndef COOKIES_H
#define COOKIES_H

#include <common/env.h>
#include <common/paths.h>

#include <stddef.h>

enum {
	COOKIES_MAX = 16
};

struct cookies {
	char *path[COOKIES_MAX]; /* owned */
	size_t n;
};

struct cookies_places {
	const struct xcs_env *env; /* whose processes are looked at */
	const char *display;       /* local, ":1" */
	const char *runtime;       /* the user's runtime directory */
	const char *tmp;           /* the machine's /tmp */
};

/*
 * Looks, with the user's rights, at XAUTHORITY of the user's processes that are on that
 * display, then where gdm, startx, lightdm, sddm, mutter and kwin keep them. Only regular
 * files that the user or root owns, each once, in a fixed order. Returns 0 or -errno;
 * cookies_fini must follow.
 */
int cookies_find(struct cookies *out, const struct xcs_user *user,
                 const struct cookies_places *places, struct xcs_err *err) XCS_MUST_CHECK;

void cookies_fini(struct cookies *c);

#endif
