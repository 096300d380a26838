#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The profile "controlled" on a session's X server: what it sets comes back, whoever is killed.

load runs.bash
load ../xclient-stress/xserver.bash

setup_file() {
	[ "$(id -u)" -eq 0 ] || skip "the profile needs root"
	x_start_xvfb || skip "$X_WHY"
	install_with_dpms "$BATS_FILE_TMPDIR/prefix"
}

teardown_file() {
	[ -z "${X_PID:-}" ] || x_stop
}

# No server without a monitor has DPMS: the programs are copied beside an xclient-stress that
# keeps that switch in a file and leaves the rest to the real one.
install_with_dpms() { # PREFIX
	mkdir -p "$1/libexec"
	cp -r "$XCS_BIN" "$1/bin"
	cp -r "$XCS_LIBEXEC" "$1/libexec/xcsbench"
	ln -s "$(dirname "$XCS_BIN")/share" "$1/share"
	echo on >"$1/dpms"
	rm "$1/libexec/xcsbench/xclient-stress"
	cat >"$1/libexec/xcsbench/xclient-stress" <<-END
		#!/bin/bash
		real=$XCS_LIBEXEC/xclient-stress
		case "\$1 \$2" in
		"screen --dpms="*) echo "\${2#*=}" >"$1/dpms" && set -- screen ;;
		esac
		[ "\$1" = screen ] || exec "\$real" "\$@"
		"\$real" "\$@" && echo "dpms \$(cat "$1/dpms")"
	END
	chmod 755 "$1/libexec/xcsbench/xclient-stress"
}

setup() {
	local display=$DISPLAY
	set_up_runs
	export DISPLAY=$display
	prefix=$BATS_FILE_TMPDIR/prefix
	screen="$prefix/libexec/xcsbench/xclient-stress screen"
	watchdogs=$(cat /proc/sys/kernel/*watchdog)
	$screen --screensaver=433
	$screen --dpms=on
}

teardown() {
	end_runner
}

screen_is() { # SECONDS on|off
	[ "$($screen)" = "screensaver_s $1
dpms $2" ]
}

start_controlled() {
	mkfifo "$BATS_TEST_TMPDIR/never"
	setsid "$prefix/bin/xcsbench" run a-four-xterm-flood --server=session --profile=controlled \
		--load=flood --x-nice=0 --quick --sample=5s --settle=1s --max-foreign=100 --output="$run_dir" >"$log" 2>&1 3>&- &
	runner=$!
	until_true screen_is 0 off
	guard=$(child_of "$runner" xcs-guard)
}

watchdogs_are_back() {
	[ "$(cat /proc/sys/kernel/*watchdog)" = "$watchdogs" ]
}

@test "the screen stays on for the run; SIGKILL of the runner: the guard puts it back" {
	start_controlled
	kill -KILL "$runner"
	until_true screen_is 433 on
	until_true watchdogs_are_back
	until_true no_journal
}

@test "SIGKILL of guard and runner: restore puts the screen back, by the journal alone" {
	start_controlled
	kill -KILL "$guard" "$runner"
	until_true is_gone "/proc/$guard"
	screen_is 0 off
	run env -u DISPLAY -u XAUTHORITY "$prefix/bin/xcsbench" restore
	echo "$output"
	[[ $output == *"screensaver of X server $X_PID (Xvfb) was put back from 0 to 433"* ]]
	[[ $output == *"dpms of X server $X_PID (Xvfb) was put back from off to on"* ]]
	screen_is 433 on
	watchdogs_are_back
	no_journal
}

# knob NAME MEMBER: what the record says of that setting.
knob() {
	jq -r --arg name "$1" --arg member "$2" '.knobs[] | select(.name == $name)[$member]' \
		"$run_dir/run.json"
}

@test "an interrupted run goes on, and what somebody changed meanwhile is told once and left" {
	start_controlled
	until_true grep -q '\[1/2\]' "$log"
	kill -INT "$runner"
	end_run
	[ "$status" -eq 130 ]
	screen_is 433 on
	setsid "$prefix/bin/xcsbench" run --resume "$run_dir" >"$log" 2>&1 3>&- &
	runner=$!
	until_true screen_is 0 off
	until_true grep -q '\[2/2\]' "$log"
	$screen --screensaver=99
	end_run
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	screen_is 99 on
	[ "$(jq '[.notes[] | select(test("screensaver"))] | length' "$run_dir/run.json")" -eq 1 ]
	[ "$(jq '[.notes[] | select(test("Profile"))] | length' "$run_dir/run.json")" -eq 0 ]
	[[ $(cat "$log") == *"Somebody changed screensaver during the run, from 0 to 99"* ]]
	[ "$(grep -c 'Profile: controlled' "$log")" -eq 1 ]
	[ "$(knob screensaver after)" = 99 ]
	[ "$(knob dpms before) $(knob dpms during) $(knob dpms after)" = "on off on" ]
	grep -qE '^dpms +1 +on +off +on' "$log"
	until_true no_journal
}
