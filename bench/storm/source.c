/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/rng.h>
#include <storm/source.h>

enum {
	N_STRUCTS = 12,  /* of a header */
	N_INLINES = 8,   /* of a header */
	N_FUNCTIONS = 4, /* of a source file: some 100 ms of cc -O1 */
	N_CASES = 10,
	N_NUMBERS = 96 /* of a table */
};

/* A stream of its own for each file, so that files do not depend on each other. */
static struct xcs_rng rng_of(uint64_t seed, uint64_t file)
{
	struct xcs_rng rng = {seed ^ (file + 1) * UINT64_C(0x9e3779b97f4a7c15)};

	xcs_rng_next(&rng);
	return rng;
}

static int below(struct xcs_rng *rng, int n)
{
	return (int)xcs_rng_below(rng, (uint64_t)n);
}

static void add_struct(struct xcs_rng *rng, int header, int i, struct xcs_buf *out)
{
	xcs_buf_printf(out, "struct item%d_%d {\n\tint count, first[%d];\n\tunsigned flags;\n",
	               header, i, 2 + below(rng, 14));
	xcs_buf_printf(out, "\tdouble weight;\n\tchar name[%d];\n", 8 + below(rng, 56));
	if (i)
		xcs_buf_printf(out, "\tstruct item%d_%d *other;\n", header, below(rng, i));
	xcs_buf_puts(out, "};\n\n");
}

static void add_inline(struct xcs_rng *rng, int header, int i, struct xcs_buf *out)
{
	int item = below(rng, N_STRUCTS);

	xcs_buf_printf(out,
	               "static inline unsigned mix%d_%d(struct item%d_%d *p, unsigned v)\n{\n"
	               "\tfor (int i = 0; i < p->count; i++) {\n"
	               "\t\tv = v * %du + (unsigned)p->name[(unsigned)i %% sizeof(p->name)];\n"
	               "\t\tif (v & %du)\n\t\t\tp->flags ^= v >> %d;\n"
	               "\t\telse\n\t\t\tp->weight += (double)v / %d.0;\n\t}\n"
	               "\treturn v ^ p->flags;\n}\n\n",
	               header, i, header, item, 3 + 2 * below(rng, 500), 1 << below(rng, 12),
	               1 + below(rng, 15), 1 + below(rng, 90));
}

void storm_header(uint64_t seed, int index, struct xcs_buf *out)
{
	struct xcs_rng rng = rng_of(seed, STORM_FILES_MAX + (uint64_t)index);

	xcs_buf_printf(out, "/* Made by xcs-storm. */\n#ifndef HEADER%d_H\n#define HEADER%d_H\n\n",
	               index, index);
	for (int i = 0; i < N_STRUCTS; i++)
		add_struct(&rng, index, i, out);
	for (int i = 0; i < N_INLINES; i++)
		add_inline(&rng, index, i, out);
	xcs_buf_puts(out, "#endif\n");
}

static void add_table(struct xcs_rng *rng, struct xcs_buf *out)
{
	xcs_buf_printf(out, "static const int table[%d] = {", N_NUMBERS);
	for (int i = 0; i < N_NUMBERS; i++)
		xcs_buf_printf(out, "%s%d,", i % 12 ? " " : "\n\t", below(rng, 100000));
	xcs_buf_puts(out, "\n};\n\n");
}

static void add_cases(struct xcs_rng *rng, int header, int function, struct xcs_buf *out)
{
	for (int c = 0; c < N_CASES; c++) {
		xcs_buf_printf(out, "\t\tcase %d:\n", c);
		if (function && below(rng, 3) == 0)
			xcs_buf_printf(out, "\t\t\tsum += work%d(p, n - 1);\n",
			               below(rng, function));
		else if (below(rng, 2))
			xcs_buf_printf(out,
			               "\t\t\tsum ^= mix%d_%d((void *)p, (unsigned)i + %du);\n",
			               header, below(rng, N_INLINES), below(rng, 1000));
		else
			xcs_buf_printf(out,
			               "\t\t\tfor (int k = 0; k < %d; k++)\n"
			               "\t\t\t\tsum += (unsigned)(table[(i + k * %d) %% %d] >> (k "
			               "& 7));\n",
			               2 + below(rng, 20), 1 + below(rng, 9), N_NUMBERS);
		xcs_buf_puts(out, "\t\t\tbreak;\n");
	}
}

static void add_function(struct xcs_rng *rng, int i, struct xcs_buf *out)
{
	int header = below(rng, STORM_N_HEADERS);

	xcs_buf_printf(out,
	               "unsigned work%d(struct item0_0 *p, int n)\n{\n"
	               "\tunsigned sum = %du;\n\n\tif (n <= 0)\n\t\treturn sum;\n"
	               "\tfor (int i = 0; i < n + %d; i++) {\n"
	               "\t\tswitch ((sum + (unsigned)table[i %% %d]) %% %du) {\n",
	               i, below(rng, 100000), 1 + below(rng, 30), N_NUMBERS, N_CASES + 1);
	add_cases(rng, header, i, out);
	xcs_buf_printf(out,
	               "\t\tdefault:\n\t\t\tp->weight = p->weight * 0.%d + (double)sum;\n\t\t}\n"
	               "\t\tp->first[i & 1] += (int)(sum >> %d);\n\t}\n\treturn sum;\n}\n\n",
	               1 + below(rng, 98), below(rng, 16));
}

void storm_source(uint64_t seed, int index, struct xcs_buf *out)
{
	struct xcs_rng rng = rng_of(seed, (uint64_t)index);

	xcs_buf_puts(out, "/* Made by xcs-storm. */\n");
	for (int i = 0; i < STORM_N_HEADERS; i++)
		xcs_buf_printf(out, "#include \"header%d.h\"\n", i);
	xcs_buf_puts(out, "\n");
	add_table(&rng, out);
	for (int i = 0; i < N_FUNCTIONS; i++)
		add_function(&rng, i, out);
	xcs_buf_printf(out, "unsigned file%d(struct item0_0 *p, int n);\n\n", index);
	xcs_buf_printf(out, "unsigned file%d(struct item0_0 *p, int n)\n{\n\tunsigned sum = 0;\n\n",
	               index);
	for (int i = 0; i < N_FUNCTIONS; i++)
		xcs_buf_printf(out, "\tsum += work%d(p, n);\n", i);
	xcs_buf_puts(out, "\treturn sum;\n}\n");
}
