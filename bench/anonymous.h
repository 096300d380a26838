/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A record that can be published: without the names of machine and user.
 */
#ifndef ANONYMOUS_H
#define ANONYMOUS_H

#include <common/paths.h>

/* What is to be hidden; "" hides nothing. */
struct anonymous {
	char home[512], user[64], host[256];
};

/* Of this machine and that user. "root", "localhost" and "/" are nobody's names. */
void anonymous_init(struct anonymous *a, const struct xcs_user *user);

/*
 * The text with the home folder, the user's name and the machine's name replaced by
 * "(home)", "(user)" and "(host)" where they stand as whole words; NULL when it holds none.
 * A text that is nothing but the user's or the machine's name is left: the words of the
 * record's own vocabulary ("flood", "void") may be somebody's name too. The caller frees it;
 * `data` is a struct anonymous (an xcs_edit_fn).
 */
char *anonymous_edit(const char *text, void *data);

#endif
