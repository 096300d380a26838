/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/counters.h>
#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x7863732d636e7401) /* "xcs-cnt", version 1 */

struct xcs_counters_page {
	uint64_t magic;
	_Atomic uint64_t known_mask;
	_Atomic uint64_t v[XCS_N_COUNTERS];
};

const char *xcs_counter_name(enum xcs_counter c)
{
	static const char *const names[XCS_N_COUNTERS] = {
	        [XCS_COUNTER_LINES] = "lines",
	        [XCS_COUNTER_BYTES_IN] = "bytes_in",
	        [XCS_COUNTER_BYTES_OUT] = "bytes_out",
	        [XCS_COUNTER_FRAMES] = "frames",
	        [XCS_COUNTER_REQUESTS] = "requests",
	        [XCS_COUNTER_X_BYTES] = "x_bytes",
	        [XCS_COUNTER_ROUND_TRIPS] = "round_trips",
	        [XCS_COUNTER_ROUND_TRIP_NS] = "round_trip_ns",
	        [XCS_COUNTER_SCROLLS] = "scrolls",
	        [XCS_COUNTER_CONFIRMED_LINES] = "confirmed_lines",
	        [XCS_COUNTER_FILES] = "files",
	        [XCS_COUNTER_CHILDREN] = "children",
	        [XCS_COUNTER_CHILD_CPU_NS] = "child_cpu_ns",
	        [XCS_COUNTER_CHILD_SWITCHES] = "child_switches",
	        [XCS_COUNTER_KEYS] = "keys",
	};

	return names[c];
}

int xcs_counters_create(const char *path, struct xcs_err *err)
{
	struct xcs_counters_page page = {.magic = MAGIC};

	return xcs_file_write(path, &page, sizeof(page), err);
}

int xcs_counters_open(const char *path, bool writable, struct xcs_counters_page **out,
                      struct xcs_err *err)
{
	int fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return xcs_err_sys(err, -errno, "cannot open the counter page %s", path);
	if (fstat(fd, &st) || st.st_size != sizeof(struct xcs_counters_page)) {
		close(fd);
		return xcs_err_set(err, -EINVAL, "%s is not a counter page", path);
	}
	struct xcs_counters_page *page =
	        mmap(NULL, sizeof(*page), writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
	             fd, 0);
	int rc = page == MAP_FAILED ? -errno : 0;
	close(fd);
	if (rc)
		return xcs_err_sys(err, rc, "cannot map the counter page %s", path);
	if (page->magic != MAGIC) {
		xcs_counters_close(page);
		return xcs_err_set(err, -EINVAL, "%s is not a counter page", path);
	}
	*out = page;
	return 0;
}

void xcs_counters_close(struct xcs_counters_page *page)
{
	if (page)
		munmap(page, sizeof(*page));
}

void xcs_counters_add(struct xcs_counters_page *page, enum xcs_counter c, uint64_t n)
{
	/* One writer: plain load and store, atomic only so that a reader sees no half word. */
	uint64_t v = atomic_load_explicit(&page->v[c], memory_order_relaxed);
	atomic_store_explicit(&page->v[c], v + n, memory_order_relaxed);
	uint64_t mask = atomic_load_explicit(&page->known_mask, memory_order_relaxed);
	if (!(mask & (UINT64_C(1) << c)))
		atomic_store_explicit(&page->known_mask, mask | (UINT64_C(1) << c),
		                      memory_order_release);
}

bool xcs_counters_get(const struct xcs_counters_page *page, enum xcs_counter c, uint64_t *out)
{
	uint64_t mask = atomic_load_explicit(&page->known_mask, memory_order_acquire);

	if (!(mask & (UINT64_C(1) << c)))
		return false;
	*out = atomic_load_explicit(&page->v[c], memory_order_relaxed);
	return true;
}
