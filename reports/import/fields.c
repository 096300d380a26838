/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fields.h"

#include <math.h>

bool field_number(struct xcs_str s, char point, double *out)
{
	double v = 0;
	int n_behind = 0;
	bool behind = false, any = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == point && !behind) {
			behind = true;
		} else if (s.p[i] >= '0' && s.p[i] <= '9') {
			v = v * 10 + (s.p[i] - '0');
			n_behind += behind;
			any = true;
		} else {
			return false;
		}
	}
	/* One division of two exact numbers is rounded as strtod would. */
	*out = n_behind ? v / pow(10, n_behind) : v;
	return any && s.n <= 40;
}

bool field_time(struct xcs_str s, double *out)
{
	struct xcs_str part;
	double v[3];

	for (int i = 0; i < 3; i++)
		if (!xcs_str_next_part(&s, ':', &part) || !field_number(part, '.', &v[i]) ||
		    part.n < 2)
			return false;
	*out = v[0] * 3600 + v[1] * 60 + v[2];
	return !s.n && v[0] < 25 && v[1] < 60 && v[2] < 61;
}
