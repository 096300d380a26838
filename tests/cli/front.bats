#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The front program: what it finds, what it refuses, and that every verb behaves alike.

bats_require_minimum_version 1.5.0

verbs="run list report sample restore schema"

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	unset DISPLAY
	cd "$BATS_TEST_TMPDIR" || return
}

xcsbench() { run --separate-stderr "$XCS_BIN/xcsbench" "$@"; }

@test "front: without a verb it tells the verbs on stderr and fails" {
	xcsbench
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	for verb in $verbs; do [[ $stderr == *"$verb"* ]]; done
}

@test "front: --help and -h list every verb on stdout" {
	for option in --help -h; do
		xcsbench $option
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		for verb in $verbs; do [[ $output == *"  $verb "* ]]; done
	done
}

@test "front: --version is name and number" {
	xcsbench --version
	[ "$status" -eq 0 ]
	[[ $output =~ ^xcsbench\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "front: an unknown verb is named" {
	xcsbench dance
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ $stderr == *"dance"* ]]
}

@test "front: an unknown option is named" {
	xcsbench --dance
	[ "$status" -eq 2 ]
	[[ $stderr == *"--dance"* ]]
}

@test "front: every verb has help and a version on stdout" {
	for verb in $verbs; do
		xcsbench "$verb" --help
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[[ $output == "Usage: xcsbench $verb"* ]]
		xcsbench "$verb" --version
		[ "$status" -eq 0 ]
		[[ $output == "xcsbench "* ]]
	done
}

@test "front: every verb refuses an unknown option with one line and status 2" {
	for verb in $verbs; do
		xcsbench "$verb" --dance
		echo "$verb: $status $stderr"
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[[ $stderr == *"--dance"*"--help"* ]]
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
	done
}

@test "front: verbs without operands refuse one" {
	for verb in list restore sample schema; do
		xcsbench "$verb" extra
		echo "$verb: $status $stderr"
		[ "$status" -eq 2 ]
		[[ $stderr == *"extra"* ]]
	done
}

@test "front: run needs a scenario and knows the shipped one" {
	xcsbench run
	[ "$status" -eq 2 ]
	[[ $stderr == *SCENARIO* ]]
	xcsbench run no-such-scenario
	[ "$status" -eq 2 ]
	[[ $stderr == *no-such-scenario* ]]
	xcsbench list
	[ "$status" -eq 0 ]
	[[ $output == *a-four-xterm-flood* ]]
}

@test "front: values out of range are refused before anything is done" {
	xcsbench run a-four-xterm-flood --x-nice=-21 --server=embedded
	[ "$status" -eq 2 ]
	[[ $stderr == *"-21"* ]]
	xcsbench run a-four-xterm-flood --server=xfree86
	[ "$status" -eq 2 ]
	[[ $stderr == *xvfb* ]]
	[ ! -e "$XDG_DATA_HOME" ]
}

@test "front: a dry run says what would be done and leaves nothing" {
	xcsbench run a-four-xterm-flood --quick --server=embedded --dry-run
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *xterm* ]]
	[ ! -e "$XDG_DATA_HOME" ]
}

@test "front: a missing sibling is named" {
	mkdir -p alone/bin
	cp "$XCS_BIN/xcsbench" alone/bin/
	run --separate-stderr alone/bin/xcsbench run x
	[ "$status" -eq 2 ]
	[[ $stderr == *"libexec/xcsbench/xcs-run"* ]]
}

@test "front: it works through a symbolic link and from another folder" {
	ln -s "$XCS_BIN/xcsbench" here
	run ./here list
	[ "$status" -eq 0 ]
	[[ $output == *a-four-xterm-flood* ]]
}

@test "front: output that cannot be written is an error" {
	[ -w /dev/full ] || skip "there is no /dev/full"
	run bash -c '"$XCS_BIN/xcsbench" list --help >/dev/full'
	[ "$status" -eq 2 ]
}
