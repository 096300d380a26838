/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/ulid.h>
#include <common/units.h>

#include <stdlib.h>
#include <sys/random.h>

static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; /* Crockford base 32 */

void xcs_ulid_make(int64_t wall_ns, char out[XCS_ULID_LEN + 1])
{
	uint64_t ms = (uint64_t)(wall_ns / XCS_NS_PER_MS);
	unsigned char noise[16];

	if (getrandom(noise, sizeof(noise), 0) != (ssize_t)sizeof(noise))
		abort();
	for (int i = 9; i >= 0; i--, ms >>= 5)
		out[i] = digits[ms & 31];
	for (int i = 0; i < 16; i++)
		out[10 + i] = digits[noise[i] & 31];
	out[XCS_ULID_LEN] = '\0';
}
