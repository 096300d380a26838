/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen.h"

#include "kinds.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A server that is busy with a load answers late; one that hangs must not hold the guard. */
#define ANSWER_DEADLINE_NS (10 * XCS_NS_PER_S)

bool screen_is(enum undo_kind kind)
{
	return kind == UNDO_SCREENSAVER || kind == UNDO_DPMS;
}

/* What item->path says. The rows point into text. */
struct client {
	struct xcs_user user;
	const char *env[3];
	char *text; /* owned */
};

static int client_init(struct client *c, const char *path)
{
	char *rest = NULL;
	uint64_t uid;
	int rc = 0;

	*c = (struct client){.text = xcs_xstrdup(path ? path : "")};
	const char *word = strtok_r(c->text, " ", &rest);
	if (!word || xcs_str_u64(xcs_str(word), &uid) || uid >= UINT32_MAX)
		return -EINVAL;
	rc = xcs_user_of(&c->user, (uid_t)uid);
	c->env[0] = strtok_r(NULL, " ", &rest);
	c->env[1] = rest && *rest ? rest : "XAUTHORITY";
	if (!c->env[0] || strncmp(c->env[0], "DISPLAY=", 8) || strncmp(c->env[1], "XAUTHORITY", 10))
		return -EINVAL;
	return rc;
}

/* Runs `xclient-stress screen [--option=value]`; its lines come into `into`. */
static int ask(const struct undo_item *item, const char *option, struct xcs_buf *into)
{
	struct client c;
	struct xcs_err ignored;
	char *program = xcs_path_program_dup("xclient-stress");
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){program, "screen", option, NULL},
	        .env_add = c.env,
	        .user = &c.user,
	        .cwd = "/",
	};
	int rc = client_init(&c, item->path);

	if (rc == 0)
		rc = xcs_child_capture(&spawn, ANSWER_DEADLINE_NS, into, &ignored);
	free(program);
	free(c.text);
	return rc == -ECHILD ? -ECONNREFUSED : rc;
}

static const char *key_of(enum undo_kind kind)
{
	return kind == UNDO_DPMS ? "dpms" : "screensaver_s";
}

int screen_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out)
{
	struct xcs_buf text = {0};
	struct xcs_str rest, line, key;

	if (!xcs_task_is_alive(env, item->pid, item->pid_start_ticks))
		return -ESRCH;
	int rc = ask(item, NULL, &text);
	bool found = false;
	for (rest = xcs_buf_str(&text); rc == 0 && !found && xcs_str_next_line(&rest, &line);)
		found = xcs_str_next_word(&line, &key) && xcs_str_is(key, key_of(item->kind));
	if (rc == 0)
		rc = found ? undo_value_parse(item->kind, xcs_str_trim(line), out) : -ENOENT;
	xcs_buf_fini(&text);
	return rc;
}

int screen_write(const struct xcs_env *env, const struct undo_item *item,
                 const struct undo_value *v)
{
	struct xcs_buf option = {0}, text = {0};

	if (!xcs_task_is_alive(env, item->pid, item->pid_start_ticks))
		return -ESRCH;
	xcs_buf_puts(&option, item->kind == UNDO_DPMS ? "--dpms=" : "--screensaver=");
	undo_value_format(item->kind, v, &option);
	int rc = ask(item, option.p, &text);
	xcs_buf_fini(&option);
	xcs_buf_fini(&text);
	return rc;
}
