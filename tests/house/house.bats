#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks of the tree find what they are for: each is run on a small tree with one fault.

setup() {
	export XCS_SOURCE="$BATS_TEST_TMPDIR/tree" XCS_BUILD="$BATS_TEST_TMPDIR/build"
	export XCS_BIN="$XCS_BUILD/bin" XCS_LIBEXEC="$XCS_BUILD/libexec"
	here=$BATS_TEST_DIRNAME
	mkdir -p "$XCS_SOURCE"/{common,collectors,reports}/include/common "$XCS_BUILD" \
		"$XCS_SOURCE/scripts" "$XCS_SOURCE/tests/house"
	mkdir -p "$XCS_SOURCE/collectors/include/collectors"
	cd "$XCS_SOURCE" || return
	git init -q .
	put common/a.c 'int a(void);' 'int a(void)' '{' $'\treturn 0;' '}'
	put common/include/common/err.h '#ifndef ERR_H' '#define ERR_H' '#endif'
	put collectors/include/collectors/c.h '#ifndef C_H' '#define C_H' '#endif'
	put scripts/common.sh ''
	put tests/house/house.sh ''
}

# put FILE LINE...: writes a source with its licence.
put() {
	local file=$1
	shift
	printf '%s\n' '/* SPDX-License-Identifier: GPL-2.0-or-later */' "$@" >"$file"
}

# expect CHECK TEXT: the check fails and says TEXT.
expect() {
	run "$here/$1"
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *"$2"* && $output == *"not ok 1 - $1"* ]]
}

passes() {
	run "$here/$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "house: a clean tree passes" {
	for check in calls headers libraries licence size words; do passes "$check"; done
}

@test "house: a forbidden call is found, a mention of it is not" {
	put common/b.c '/* never sleep(1) */' 'const char *s = "system(x)";' \
		'void b(void) { usleeping(1); x.sleep (2); }'
	passes calls
	put common/b.c 'void b(void) {' $'\tsleep(1); }'
	expect calls "common/b.c:3"
	put common/b.c 'void b(void) { if (atoi("1")) return; }'
	expect calls "atoi"
}

@test "house: a /proc path is found outside env.c only" {
	put common/env.c 'const char *p = "/proc/stat";'
	passes calls
	put common/b.c 'const char *p = "/proc/stat"; /* the "/proc" of */'
	expect calls "common/b.c:2"
	put common/b.c 'const char *p = "/sys";'
	expect calls "common/b.c:2"
}

@test "house: a function of 71 lines is found" {
	{ printf 'int long_one(void)\n{\n'; yes $'\t;' | head -n 68; printf '}\n'; } >common/b.c
	passes size
	{ printf 'int long_one(void)\n{\n'; yes $'\t;' | head -n 69; printf '}\n'; } >common/b.c
	expect size "long_one"
}

@test "house: a file of 601 lines is found" {
	yes '/* */' | head -n 601 >common/b.h
	expect size "601 lines"
}

@test "house: a nice helper of 300 lines is found" {
	mkdir -p bench/nice
	put bench/nice/main.c 'int m(void)' '{' '}'
	yes '/* */' | head -n 295 >bench/nice/rules.c
	passes size
	echo '/* */' >>bench/nice/rules.c
	expect size "300 lines"
}

@test "house: a header that needs another, or C only, is found" {
	put common/include/common/b.h 'size_t b(void);'
	expect headers "alone and twice"
	put common/include/common/b.h 'struct b { int v; };'
	expect headers "alone and twice"
	put common/include/common/b.h '#ifndef B_H' '#define B_H' 'int b(int new);' '#endif'
	expect headers "as C++"
}

@test "house: a room that can reach a forbidden room is found" {
	compile() {
		printf '[{"file":"%s","command":"cc %s -c a.c"}]' "$XCS_SOURCE/$1/a.c" "$2" \
			>"$XCS_BUILD/compile_commands.json"
	}
	command -v jq >/dev/null || skip "jq is not installed"
	compile reports "-I$XCS_SOURCE/common/include"
	passes fence
	compile reports "-I$XCS_SOURCE/common/include -I$XCS_SOURCE/collectors/include"
	expect fence "reports/ can include <collectors/c.h>"
	compile reports "-I$XCS_SOURCE/nothing"
	expect fence "reports/ cannot include <common/err.h>"
	compile reports "-I$XCS_SOURCE/common/include"
	put reports/a.c '#include "../collectors/include/collectors/c.h"'
	expect fence "reports/a.c:2"
}

@test "house: a library outside its room is found" {
	put reports/a.c '#include <X11/Xlib.h>'
	expect libraries "only in xclient-stress/"
	put reports/a.c ''
	put collectors/a.c '#include <libproc2/stat.h>'
	passes libraries
	put collectors/b.c '#include <libproc2/pids.h>'
	expect libraries "libproc2 is included in 2 files"
}

@test "house: a source without its licence is found" {
	echo 'int a;' >common/b.c
	expect licence "common/b.c"
}

@test "house: a path of one machine, a blank and a conflict marker are found" {
	put common/b.c "/* see /ho""me/me/notes */"
	expect words "a path of one machine"
	put common/b.c 'int a; '
	expect words "a blank"
	put common/b.c '<<<''<<<< HEAD'
	expect words "a conflict marker"
}

@test "house: what cannot be parsed as shell is found" {
	printf '#!/bin/sh\n# SPDX\nif true; then\n' >scripts/broken
	expect shell "scripts/broken does not parse"
}

@test "house: an empty tree fails every check" {
	rm -rf "$XCS_SOURCE"
	mkdir -p "$XCS_SOURCE"
	cd "$XCS_SOURCE"
	git init -q .
	for check in calls headers licence words; do expect "$check" "nothing to check"; done
}
