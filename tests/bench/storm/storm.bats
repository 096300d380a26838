# SPDX-License-Identifier: GPL-2.0-or-later
# The build beside a load, by itself: what it says, counts and leaves.

setup() {
	storm=$XCS_LIBEXEC/xcs-storm
	dir=$BATS_TEST_TMPDIR/build
	mkfifo "$BATS_TEST_TMPDIR/never" "$BATS_TEST_TMPDIR/in"
}

teardown() {
	[ -z "${pid:-}" ] || kill -KILL "$pid" 2>/dev/null || true
}

until_true() {
	local i
	for ((i = 0; i < 400; i++)); do
		"$@" && return 0
		read -rt 0.05 <>"$BATS_TEST_TMPDIR/never" || true
	done
	echo "never became true: $*"
	return 1
}

needs_cc() {
	command -v cc >/dev/null || skip "there is no C compiler (package gcc)"
}

# Starts it in a session of its own; its input stays open as descriptor 7.
start() {
	setsid "$storm" --dir "$dir" "$@" <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
		2>"$BATS_TEST_TMPDIR/said" 3>&- &
	pid=$!
	exec 7>"$BATS_TEST_TMPDIR/in"
	until_true grep -q ready "$BATS_TEST_TMPDIR/out"
}

compiles() {
	pgrep -f "$dir/file" >/dev/null
}

nobody_compiles() {
	! compiles
}

is_gone() {
	[ ! -e "$1" ]
}

@test "it holds until it is told, compiles, and ends with its input" {
	needs_cc
	start --jobs=2 --files=4
	nobody_compiles
	echo >&7
	until_true compiles
	exec 7>&-
	wait "$pid"
	nobody_compiles
	[ ! -e "$dir" ]
}

@test "SIGTERM ends it and its compilers" {
	needs_cc
	start --jobs=3
	echo >&7
	until_true compiles
	kill -TERM "$pid"
	wait "$pid"
	nobody_compiles
	[ ! -e "$dir" ]
	exec 7>&-
}

@test "SIGKILL leaves no compiler" {
	needs_cc
	start --jobs=3
	echo >&7
	until_true compiles
	kill -KILL "$pid"
	until_true nobody_compiles
	exec 7>&-
}

@test "no compiler is one clear sentence" {
	run "$storm" --dir "$dir" --compiler=no-such-cc </dev/null
	echo "$output"
	[ "$status" -eq 2 ]
	[ "$output" = "xcs-storm: there is no C compiler: no-such-cc is not in PATH (package gcc)" ]
	[ ! -e "$dir" ]
}

@test "a compiler that fails is told with its own words" {
	printf '#!/bin/sh\necho "out of coffee" >&2\nexit 3\n' >"$BATS_TEST_TMPDIR/bad-cc"
	chmod +x "$BATS_TEST_TMPDIR/bad-cc"
	run "$storm" --dir "$dir" --compiler="$BATS_TEST_TMPDIR/bad-cc" </dev/null
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"exited with status 3 on file0.c: out of coffee" ]]
}

@test "a compiler that fails later ends it" {
	needs_cc
	# Good for one file, which is tried before anything is counted.
	printf '#!/bin/sh\n[ -e "%s" ] && exit 1\n: >"%s"\nexec cc "$@"\n' \
		"$BATS_TEST_TMPDIR/used" "$BATS_TEST_TMPDIR/used" >"$BATS_TEST_TMPDIR/once-cc"
	chmod +x "$BATS_TEST_TMPDIR/once-cc"
	start --compiler="$BATS_TEST_TMPDIR/once-cc"
	echo >&7
	local status=0
	wait "$pid" || status=$?
	exec 7>&-
	cat "$BATS_TEST_TMPDIR/said"
	[ "$status" -eq 2 ]
	grep -q "exited with status 1" "$BATS_TEST_TMPDIR/said"
	[ ! -e "$dir" ]
}

@test "--dir is needed" {
	run "$storm" </dev/null
	[ "$status" -eq 2 ]
	[[ $output == *"--dir"* ]]
}
