/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample.h"
int sample_live(const struct sample_options *o, struct xcs_recorder_stop *stop, struct xcs_err *err)
{
	(void)o;
	(void)stop;
	return xcs_err_set(err, -1, "x") ? XCS_EXIT_ERROR : 0;
}
