/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"

#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int print(const struct xcs_buf *text, struct xcs_err *err)
{
	if (fwrite(text->p, 1, text->n, stdout) != text->n || fflush(stdout))
		return xcs_err_sys(err, -errno, "cannot write the report");
	return 0;
}

/* Into what is there and no regular file, a device or a pipe; renaming would replace it. */
static int write_into(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int rc = fd < 0 ? -errno : xcs_fd_write_all(fd, text->p, text->n);

	if (fd >= 0 && close(fd) && rc == 0)
		rc = -errno;
	return rc ? xcs_err_sys(err, rc, "cannot write %s", path) : 0;
}

static int write_out(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return print(text, err);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_into(path, text, err);
	return xcs_file_write(path, text->p, text->n, err);
}

static int choose_format(struct output_options *o, struct xcs_err *err)
{
	if (o->json && o->format != OUTPUT_FORMAT_NOT_GIVEN && o->format != XCS_FORMAT_JSON)
		return xcs_err_set(err, -EINVAL, "--json and --format=%s exclude each other",
		                   xcs_format_names[o->format]);
	if (o->json)
		o->format = XCS_FORMAT_JSON;
	if (o->format == OUTPUT_FORMAT_NOT_GIVEN && o->output)
		o->format = xcs_format_of_path(o->output);
	if (o->format == OUTPUT_FORMAT_NOT_GIVEN)
		o->format = XCS_FORMAT_TEXT;
	return 0;
}

/* A header field that holds a newline would be two. */
static int check_header(const char *option, const char *value, struct xcs_err *err)
{
	for (const char *p = value; p && *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return xcs_err_set(err, -EINVAL, "--%s holds a control character", option);
	if (value && !strchr(value, '@'))
		return xcs_err_set(err, -EINVAL, "--%s: '%s' has no @", option, value);
	return 0;
}

static int check_mail(struct output_options *o, const char *verb, struct xcs_err *err)
{
	const char *email = getenv("EMAIL");

	if (o->format != XCS_FORMAT_MBOX)
		return 0;
	if (!o->from && email && strchr(email, '@'))
		o->from = email;
	int rc = check_header("from", o->from, err);
	if (rc == 0)
		rc = check_header("in-reply-to", o->in_reply_to, err);
	if (rc == 0 && o->in_reply_to && strpbrk(o->in_reply_to, " \t"))
		rc = xcs_err_set(err, -EINVAL, "--in-reply-to: '%s' is not one Message-ID",
		                 o->in_reply_to);
	if (rc == 0 && !o->from)
		fprintf(stderr,
		        "xcsbench %s: the mail has no From header; give --from or set EMAIL\n",
		        verb);
	return rc;
}

int output_settle(struct output_options *o, const char *verb, struct xcs_err *err)
{
	int rc = choose_format(o, err);

	return rc ? rc : check_mail(o, verb, err);
}

const struct xcs_writer *output_writer(const struct output_options *o)
{
	return xcs_writer_of((enum xcs_format)o->format);
}

int output_write(const struct output_options *o, const struct xcs_doc *doc, struct xcs_err *err)
{
	const struct xcs_write_options how = {.plots = o->plots,
	                                      .from = o->from,
	                                      .in_reply_to = o->in_reply_to,
	                                      .date_wall_ns = time(NULL) * XCS_NS_PER_S};
	struct xcs_buf text = {0};

	output_writer(o)->write(doc, &how, &text);
	int rc = write_out(o->output, &text, err);
	xcs_buf_fini(&text);
	return rc;
}
