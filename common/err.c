/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/err.h>

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int xcs_err_set(struct xcs_err *err, int rc, const char *fmt, ...)
{
	va_list ap;

	assert(rc < 0);
	if (!err)
		return rc;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return rc;
}

int xcs_err_sys(struct xcs_err *err, int rc, const char *fmt, ...)
{
	va_list ap;

	assert(rc < 0);
	if (!err)
		return rc;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	size_t n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s", strerror(-rc));
	return rc;
}

void xcs_err_prefix(struct xcs_err *err, const char *fmt, ...)
{
	struct xcs_err whole;
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(whole.text, sizeof(whole.text), fmt, ap);
	va_end(ap);
	/* Cutting a sentence that is too long is meant; strncat says so to the compiler. */
	strncat(whole.text, ": ", sizeof(whole.text) - strlen(whole.text) - 1);
	strncat(whole.text, err->text, sizeof(whole.text) - strlen(whole.text) - 1);
	*err = whole;
}
