/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/units.h>

#include <errno.h>

#define MAX_NS (10 * 86400 * XCS_NS_PER_S)

double xcs_ns_to_s(int64_t ns)
{
	return (double)ns / (double)XCS_NS_PER_S;
}

static int64_t unit_ns(struct xcs_str unit)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
	        {"ns", 1                  },
	        {"us", XCS_NS_PER_US      },
	        {"ms", XCS_NS_PER_MS      },
	        {"s",  XCS_NS_PER_S       },
	        {"",   XCS_NS_PER_S       },
	        {"m",  60 * XCS_NS_PER_S  },
	        {"h",  3600 * XCS_NS_PER_S},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (xcs_str_is(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/* Adds the digits behind the point in whole nanoseconds: no binary rounding. */
static int64_t fraction_ns(struct xcs_str digits, int64_t scale_ns)
{
	int64_t ns = 0;

	for (size_t i = 0; i < digits.n && scale_ns; i++) {
		scale_ns /= 10;
		ns += (digits.p[i] - '0') * scale_ns;
	}
	return ns;
}

static size_t n_digits(struct xcs_str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n;
}

int xcs_duration_parse(struct xcs_str text, int64_t *ns, struct xcs_err *err)
{
	struct xcs_str whole = {text.p, n_digits(text)};
	struct xcs_str rest = {text.p + whole.n, text.n - whole.n};
	struct xcs_str fraction = {0};
	uint64_t n;

	if (rest.n && rest.p[0] == '.') {
		rest.p++, rest.n--;
		fraction = (struct xcs_str){rest.p, n_digits(rest)};
		rest.p += fraction.n, rest.n -= fraction.n;
	}
	int64_t scale_ns = unit_ns(rest);
	if (!scale_ns || xcs_str_u64(whole, &n) || n > (uint64_t)(MAX_NS / scale_ns))
		goto bad;
	int64_t sum_ns = (int64_t)n * scale_ns + fraction_ns(fraction, scale_ns);
	if (sum_ns <= 0 || sum_ns > MAX_NS)
		goto bad;
	*ns = sum_ns;
	return 0;
bad:
	return xcs_err_set(err, -EINVAL,
	                   "'%.*s' is not a duration; give one such as 10ms, 1.5s or 2m",
	                   (int)(text.n < 80 ? text.n : 80), text.p);
}
