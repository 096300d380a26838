/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The words of a request and the texts about its target, from one input. What passes must
 * be within the limits that the program relies on.
 */
#include "rules.h"

#include <common/task.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_request(char *words)
{
	static char name[] = "xcsbench-nice", none[] = "";
	char *argv[5] = {name, none, none, none, none}, *save = NULL;
	struct nice_request r;
	struct xcs_err err;

	for (int i = 1; i < 5; i++) {
		char *word = strtok_r(i == 1 ? words : NULL, " ", &save);
		argv[i] = word ? word : none;
	}
	if (nice_request_read(&r, 5, argv, &err))
		return;
	if (r.pid < 2 || r.nice < -20 || r.nice > 19 || r.n_tids < 1 || r.n_tids > NICE_TIDS_MAX)
		abort();
	for (size_t i = 0; i < r.n_tids; i++)
		if (r.tids[i] < 1)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct xcs_str text = {(const char *)data, n};
	struct xcs_task_id id;
	uid_t uid, euid;
	char *words = malloc(n + 1);

	if (!words)
		abort();
	if (n)
		memcpy(words, data, n);
	words[n] = '\0';
	read_request(words);
	(void)xcs_task_id_parse(text, &id);
	(void)xcs_task_uids_parse(text, &uid, &euid);
	(void)nice_seat_is_of(text, 1000);
	free(words);
	return 0;
}
