/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "identity.h"

#include <common/env.h>
#include <common/task.h>

#include <X11/extensions/XRes.h>
#include <stddef.h>
#include <sys/socket.h>

static bool has_xres(Display *dpy)
{
	int event, error, major = 0, minor = 0;

	return XResQueryExtension(dpy, &event, &error) && XResQueryVersion(dpy, &major, &minor) &&
	       (major > 1 || (major == 1 && minor >= 2));
}

/*
 * The X server is its own client 0, and XRes 1.2 tells the pid of every local client. An
 * empty resource id asks for all of them, any other for its owner, whose first id answers
 * (X Resource extension protocol, QueryClientIds).
 */
pid_t identity_by_xres(Display *dpy, XID resource)
{
	XResClientIdSpec spec = {.client = resource, .mask = XRES_CLIENT_ID_PID_MASK};
	XResClientIdValue *ids = NULL;
	long n = 0;
	pid_t pid = 0;

	if (!has_xres(dpy) || XResQueryClientIds(dpy, 1, &spec, &n, &ids) != Success)
		return 0;
	for (long i = 0; i < n && !pid; i++)
		if ((resource != None || ids[i].spec.client == None) &&
		    XResGetClientIdType(&ids[i]) == XRES_CLIENT_ID_PID)
			pid = XResGetClientPid(&ids[i]);
	XResClientIdsDestroy(n, ids);
	return pid > 0 ? pid : 0;
}

pid_t identity_by_peer(Display *dpy)
{
	struct ucred peer;
	socklen_t n = sizeof(peer);

	if (getsockopt(ConnectionNumber(dpy), SOL_SOCKET, SO_PEERCRED, &peer, &n))
		return 0;
	return peer.pid > 0 ? peer.pid : 0;
}

bool identity_describe(const char *prefix, pid_t pid, struct xcs_buf *out)
{
	struct xcs_env env;
	struct xcs_task_id id;

	if (pid == 0 || xcs_env_open(&env, NULL))
		return false;
	int rc = xcs_task_id_read(&env, pid, pid, &id);
	xcs_env_close(&env);
	if (rc)
		return false;
	xcs_buf_printf(out, "%spid %d\n%scomm %s\n%sstart_ticks %llu\n", prefix, (int)pid, prefix,
	               id.comm, prefix, (unsigned long long)id.start_ticks);
	return true;
}
