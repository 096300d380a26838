/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each test of the live guard starts from and asks.
 */
#ifndef GUARD_TEST_FIXTURE_H
#define GUARD_TEST_FIXTURE_H

#include "world.h"

extern struct world w; /* made anew for each test */
extern struct xcs_err err;

int set_up(void **state);
int tear_down(void **state);

bool may_lower_nice(void);
void need_rights(void); /* skips the test without them */

struct guard *start(void); /* a guard of the world; fails the test when it cannot */
void assert_ok(int rc);
void assert_says(const char *part); /* of err */

#endif
