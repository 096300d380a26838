#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed works away from the build tree, with its pages and completion.

bats_require_minimum_version 1.5.0

setup_file() {
	export PREFIX=$BATS_FILE_TMPDIR/prefix
	"$XCS_CMAKE" --install "$XCS_BUILD" --prefix "$PREFIX" >"$BATS_FILE_TMPDIR/log"
}

setup() {
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
}

@test "install: only xcsbench is in bin" {
	[ "$(ls "$PREFIX/bin")" = xcsbench ]
}

@test "install: the verbs find programs and data" {
	for verb in run list report sample restore schema; do
		run "$PREFIX/bin/xcsbench" "$verb" --help
		[ "$status" -eq 0 ]
	done
	run "$PREFIX/bin/xcsbench" list
	[[ $output == *a-four-xterm-flood* ]]
	run bash -c '"$PREFIX/bin/xcsbench" schema | jq -er ".[\"\$id\"]"'
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "install: no program is setuid or depends on the build tree" {
	for program in "$PREFIX"/bin/* "$PREFIX"/libexec/xcsbench/*; do
		[ ! -u "$program" ] && [ ! -g "$program" ]
		[ -z "$(readelf -d "$program" | grep -E 'RPATH|RUNPATH')" ]
	done
}

@test "install: the systemd unit starts and restores by what is installed" {
	unit=$PREFIX/lib/systemd/system/xcsbench@.service
	run grep -cE "^Exec(Start|StopPost)=$PREFIX/bin/xcsbench (run|restore)( |\$)" "$unit"
	[ "$output" = 2 ]
	command -v systemd-analyze >/dev/null || skip "systemd-analyze is not installed"
	run systemd-analyze verify --man=no --recursive-errors=no "${unit/@/@a-four-xterm-flood}"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "install: each verb has a man page, and man can show it" {
	for verb in "" -run -list -report -sample -restore -schema; do
		[ -s "$PREFIX/share/man/man1/xcsbench$verb.1" ]
	done
	command -v man >/dev/null || skip "man is not installed"
	run --separate-stderr man -l "$PREFIX/share/man/man1/xcsbench-run.1"
	[ "$status" -eq 0 ]
	[[ $output == *--one-cpu* ]]
	[ -z "$stderr" ]
}

# complete WORD...: the completions of the last word.
complete_words() {
	bash -c '
		PATH=$PREFIX/bin:$PATH
		. "$PREFIX/share/bash-completion/completions/xcsbench"
		compopt() { :; }
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_xcsbench
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

@test "install: bash completes verbs, options and scenarios" {
	[[ $(complete_words xcsbench re) == restore*report ]]
	[ "$(complete_words xcsbench run --one)" = --one-cpu ]
	[ "$(complete_words xcsbench run --autog)" = --autogroup= ]
	[ "$(complete_words xcsbench run a-fo)" = a-four-xterm-flood ]
	[ "$(complete_words xcsbench schema ref)" = reference ]
	[ "$(complete_words xcsbench import hyp)" = hyperfine ]
}

@test "install: bash completes the values of options" {
	[ "$(complete_words xcsbench run --server = xv)" = xvfb ]
	[ "$(complete_words xcsbench run --autogroup = | tr '\n' ' ')" = "as-found off nice " ]
	[ "$(complete_words xcsbench report --format=mark)" = --format=markdown ]
	[ "$(complete_words xcsbench report --format | tr '\n' ' ')" = "--format= " ]
	touch some.html
	[ "$(complete_words xcsbench report --output = so)" = some.html ]
}

@test "install: what quickstart builds needs no package of the tests" {
	real=$(command -v pkg-config)
	printf '#!/bin/sh\ncase $* in *cmocka*) exit 1 ;; esac\nexec %s "$@"\n' "$real" >pkg-config
	chmod +x pkg-config
	PKG_CONFIG=$PWD/pkg-config run "$XCS_CMAKE" -S "$XCS_SOURCE" --preset release -B "$PWD/build"
	echo "$output"
	[ "$status" -eq 0 ]
	! grep -q '^BATS:' build/CMakeCache.txt || false
}
