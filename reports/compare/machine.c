/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was measured on, and what was not measured: a comparison is attached to mails that
 * travel without the reports of its runs.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <common/buf.h>

static const struct {
	const char *key, *label;
} rows[] = {
        {"cpu.model",       "CPU"            },
        {"cpu.topology",    "Topology"       },
        {"cpu.online",      "CPUs online"    },
        {"memory.total",    "Memory"         },
        {"machine.virtual", "Virtual machine"},
        {"distribution",    "Distribution"   },
        {"cpu.governor",    "CPU governor"   },
        {"kernel.hz",       "HZ"             },
        {"sched.class",     "Scheduler"      },
        {"sched.preempt",   "Preemption"     },
        {"sched.autogroup", "Autogroups"     },
        {"server.kind",     "X server"       },
        {"server.width_px", "Screen, px wide"},
        {"xterm.version",   "xterm"          },
};

/* All values of the base; where the others differ from it, Differences has said so. */
static void fact(const struct xcs_known_fact *f, const char *key, const char *label,
                 struct xcs_section *s)
{
	struct xcs_buf values = {0};

	for (size_t i = 0; f && i < f->n_values; i++)
		xcs_buf_printf(&values, "%s%s", i ? ", " : "", f->values[i]);
	xcs_doc_fact(s, key, label, values.p);
	xcs_buf_fini(&values);
}

void compare_machine(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	const struct xcs_campaign *c = x->campaign;
	struct xcs_section *s;

	if (c->is_imported || c->n_groups == 0)
		return;
	s = xcs_doc_section(doc, "machine", "Machine");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		fact(xcs_campaign_fact(&c->groups[0], rows[i].key), rows[i].key, rows[i].label, s);
	s = xcs_doc_section(doc, "not_measured", "Not measured");
	xcs_doc_paragraph(s,
	                  "Screen refresh as shown, flicker, pointer and key latency, smoothness "
	                  "of animations: they need phases of their own. What the clients of a "
	                  "load do not count is n/a above.");
}
