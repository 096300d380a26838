/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/taskstats.h>

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TIMEOUT_S 1 /* a reply is made before send returns; this is for a broken kernel */

/* The macros of linux/netlink.h mix signs; these are its sizes. */
enum {
	ATTRIBUTE_HEADER = sizeof(struct nlattr),
	MESSAGE_HEADER = sizeof(struct nlmsghdr) + sizeof(struct genlmsghdr)
};

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* One request with one attribute; answers of taskstats are below 2 kB. */
union message {
	struct {
		struct nlmsghdr head;
		struct genlmsghdr gen;
		char attributes[4096];
	} m;
	char bytes[4096 + MESSAGE_HEADER];
};

static const struct nlattr *next_attribute(const char **at, const char *end)
{
	const struct nlattr *a = (const struct nlattr *)(const void *)*at;

	if (end - *at < ATTRIBUTE_HEADER || a->nla_len < ATTRIBUTE_HEADER ||
	    end - *at < (ptrdiff_t)a->nla_len)
		return NULL;
	ptrdiff_t step = (ptrdiff_t)align4(a->nla_len);
	*at = end - *at > step ? *at + step : end;
	return a;
}

/* Finds an attribute in a range; its payload ends at *payload_end. */
static const char *find_attribute(const char *at, const char *end, int type,
                                  const char **payload_end)
{
	const struct nlattr *a;

	while ((a = next_attribute(&at, end))) {
		if ((a->nla_type & NLA_TYPE_MASK) != type)
			continue;
		*payload_end = (const char *)a + a->nla_len;
		return (const char *)a + ATTRIBUTE_HEADER;
	}
	return NULL;
}

static int send_request(int fd, uint16_t family, uint8_t command, uint16_t type, const void *data,
                        size_t n)
{
	union message q = {
	        .m = {.head = {.nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST},
	              .gen = {.cmd = command, .version = 1}}
        };
	struct nlattr a = {.nla_len = (uint16_t)((size_t)ATTRIBUTE_HEADER + n), .nla_type = type};

	memcpy(q.m.attributes, &a, sizeof(a));
	memcpy(q.m.attributes + ATTRIBUTE_HEADER, data, n);
	size_t size = MESSAGE_HEADER + align4(a.nla_len);
	q.m.head.nlmsg_len = (uint32_t)size;
	return send(fd, &q, size, 0) == (ssize_t)size ? 0 : -errno;
}

/* Receives the answer; its attributes are at[0] to at[1]. */
static int receive(int fd, union message *r, const char *at[2])
{
	ssize_t n;

	do
		n = recv(fd, r, sizeof(*r), 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n < MESSAGE_HEADER || r->m.head.nlmsg_len > (size_t)n ||
	    r->m.head.nlmsg_len < MESSAGE_HEADER)
		return -EBADMSG;
	if (r->m.head.nlmsg_type == NLMSG_ERROR) {
		int error;
		memcpy(&error, r->bytes + sizeof(struct nlmsghdr), sizeof(error));
		return error < 0 ? error : -EBADMSG;
	}
	at[0] = r->bytes + MESSAGE_HEADER;
	at[1] = r->bytes + r->m.head.nlmsg_len;
	return 0;
}

static int find_family(struct xcs_taskstats_socket *s)
{
	static const char name[] = TASKSTATS_GENL_NAME;
	union message r;
	const char *at[2], *end;

	int rc = send_request(s->fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, name,
	                      sizeof(name));
	if (rc == 0)
		rc = receive(s->fd, &r, at);
	if (rc)
		return rc;
	const char *id = find_attribute(at[0], at[1], CTRL_ATTR_FAMILY_ID, &end);
	if (!id || end - id < (ptrdiff_t)sizeof(s->family))
		return -EBADMSG;
	memcpy(&s->family, id, sizeof(s->family));
	return 0;
}

int xcs_taskstats_open(struct xcs_taskstats_socket *s)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct timeval limit = {.tv_sec = TIMEOUT_S};
	int rc = 0;

	*s = (struct xcs_taskstats_socket){
	        .fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)};
	if (s->fd < 0)
		return -errno;
	if (setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    connect(s->fd, (struct sockaddr *)&kernel, sizeof(kernel)))
		rc = -errno;
	if (rc == 0)
		rc = find_family(s);
	if (rc)
		xcs_taskstats_close(s);
	return rc;
}

void xcs_taskstats_close(struct xcs_taskstats_socket *s)
{
	if (s->fd > 0)
		close(s->fd);
	*s = (struct xcs_taskstats_socket){.fd = -1};
}

static int64_t get_u64(const char *stats, size_t offset)
{
	uint64_t v;

	memcpy(&v, stats + offset, sizeof(v));
	return (int64_t)v;
}

/* Asks for `pid` by an attribute; the answer stands in an aggregate of this type. */
static int read_stats(struct xcs_taskstats_socket *s, uint16_t attribute, int answer, pid_t pid,
                      struct xcs_taskstats *out)
{
	union message r;
	const char *at[2], *end;
	uint32_t id = (uint32_t)pid;

	int rc = send_request(s->fd, s->family, TASKSTATS_CMD_GET, attribute, &id, sizeof(id));
	if (rc == 0)
		rc = receive(s->fd, &r, at);
	if (rc)
		return rc;
	const char *aggregate = find_attribute(at[0], at[1], answer, &end);
	const char *stats =
	        aggregate ? find_attribute(aggregate, end, TASKSTATS_TYPE_STATS, &end) : NULL;
	/* The struct only grows at its end; all that we read is in version 3 (2.6.21). */
	if (!stats || end - stats < (ptrdiff_t)(offsetof(struct taskstats, nivcsw) + 8))
		return -EBADMSG;
	*out = (struct xcs_taskstats){
	        .voluntary_total = get_u64(stats, offsetof(struct taskstats, nvcsw)),
	        .involuntary_total = get_u64(stats, offsetof(struct taskstats, nivcsw)),
	        .exec_ns = get_u64(stats, offsetof(struct taskstats, cpu_run_virtual_total)),
	        .run_delay_ns = get_u64(stats, offsetof(struct taskstats, cpu_delay_total)),
	        .timeslices = get_u64(stats, offsetof(struct taskstats, cpu_count)),
	        .tick_ns = get_u64(stats, offsetof(struct taskstats, cpu_run_real_total)),
	};
	return 0;
}

int xcs_taskstats_read(struct xcs_taskstats_socket *s, pid_t pid, struct xcs_taskstats *out)
{
	return read_stats(s, TASKSTATS_CMD_ATTR_TGID, TASKSTATS_TYPE_AGGR_TGID, pid, out);
}

int xcs_taskstats_read_thread(struct xcs_taskstats_socket *s, pid_t tid, struct xcs_taskstats *out)
{
	return read_stats(s, TASKSTATS_CMD_ATTR_PID, TASKSTATS_TYPE_AGGR_PID, tid, out);
}
