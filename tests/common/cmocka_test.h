/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * cmocka with the headers it wants before it.
 */
#ifndef XCS_CMOCKA_TEST_H
#define XCS_CMOCKA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Leaves the test and says why. */
#define SKIP_BECAUSE(...)                            \
	do {                                         \
		print_message("skip: " __VA_ARGS__); \
		print_message("\n");                 \
		skip();                              \
	} while (0)

#endif
