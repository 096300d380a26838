#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The X clients on a private Xvfb.

load xserver.bash

setup_file() {
	x_start_xvfb || export X_SKIP=$X_WHY
	export X="$XCS_LIBEXEC/xclient-stress" FEED="$XCS_LIBEXEC/xcs-feed"
}

teardown_file() {
	x_stop
}

setup() {
	[ -z "${X_SKIP:-}" ] || skip "$X_SKIP"
	cd "$BATS_TEST_TMPDIR" || return
	background=()
}

teardown() {
	local pid
	for pid in "${background[@]}"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
}

# flood NAME ARG... -- COMMAND...: a flood in the background.
flood() {
	local name=$1
	shift
	"$X" flood --name "$name" "$@" 3>&- 4>&- &
	background+=($!)
}

# await FIFO: waits until the command inside a flood has got there.
await() {
	read -r -t 20 <"$1"
}

# fed N: the script of a flood that shows N lines, says so on FIFO $1 and stays.
fed() {
	echo "'$FEED' --lines $1 lines 2>/dev/null; echo >fed; cat"
}

@test "xclient-stress: server names the process that serves the display" {
	run "$X" server
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(value pid)" = "$X_PID" ]
	[ "$(value comm)" = "$(cat "/proc/$X_PID/comm")" ]
	[ "$(value start_ticks)" = "$(sed 's/.*) //' "/proc/$X_PID/stat" | cut -d' ' -f20)" ]
	[ "$(value how)" = xres ]
	[ "$(value width_px)" = "$X_WIDTH" ]
	[ "$(value height_px)" = "$X_HEIGHT" ]
	[ "$(value crtc)" = "0 0 $X_WIDTH $X_HEIGHT" ]
	[ "$(value xwayland)" = no ]
	grep -qx 'extension X-Resource' <<<"$output"
}

@test "xclient-stress: every verb says what is wrong with a dead display, with status 2" {
	for verb in server "windows x" "flood -- true"; do
		run env DISPLAY=:999 "$X" $verb
		echo "$output"
		[ "$status" -eq 2 ]
		one_sentence
		[[ $output == *"DISPLAY=:999 "* ]]
	done
}

@test "xclient-stress: bad input is one sentence and status 2" {
	while read -r args; do
		run "$X" $args
		echo "$args: $output"
		[ "$status" -eq 2 ]
		one_sentence
	done <<-END
		sing
		flood
		flood --scroll slow -- true
		flood --columns 9999 -- true
		flood --font xcs-no-font -- true
		flood --geometry 80x24 -- true
		flood --page /nonexistent/page -- true
		flood -- xcs-no-such-command
		windows
		windows --timeout soon x
		server extra
	END
}

# The counts are exact where they can be: how often a frame shows less than it could
# depends on who runs when.
@test "xclient-stress: all lines are drawn and counted, jump or line, under every policy" {
	for scroll in jump line; do
		for flush in xterm read frame none; do
			run "$X" flood --rows 4 --columns 40 --scroll $scroll --flush $flush --dump \
				--report-fd 1 -- sh -c "'$FEED' --lines 1000 lines 2>total"
			echo "$scroll $flush: $output"
			[ "$status" -eq 0 ]
			[ "$(cat total)" = "total lines 1000 bytes 40000 confirmed 1000" ]
			[ "$(value lines)" = 1000 ]
			[ "$(value bytes_in)" = 41004 ]
			[ "$(sed -n 's/^row 0*//p' <<<"$output" | tr -d ' ' | tr '\n' ' ')" = "998 999 1000  " ]
			if [ $scroll = line ]; then
				[ "$(value scrolls)" = 997 ]
				[ "$(value frames)" -ge 1000 ] && [ "$(value frames)" -le 1500 ]
			else
				[ "$(value frames)" -ge 250 ] && [ "$(value frames)" -le 700 ]
			fi
			[ $flush != frame ] || [ "$(value round_trips)" -ge "$(value frames)" ]
			case $flush in read | none) [ "$(value round_trips)" = 0 ] ;; esac
			[ "$(value requests)" -gt "$(value frames)" ]
			[ "$(value x_bytes)" -gt $((12 * $(value requests))) ]
		done
	done
}

@test "xclient-stress: a scrolled screen looks like one that was written at once" {
	mkfifo fed
	printf '%079d\n' 499 500 >text
	flood plain --rows 3 -- sh -c 'cat text; cat'
	for scroll in jump line; do
		for flush in xterm read frame none; do
			flood "$scroll-$flush" --rows 3 --scroll $scroll --flush $flush \
				--geometry +0+300 -- sh -c "$(fed 500)"
			await fed
			"$XCS_TEST_BIN/same-pixels" "$scroll-$flush" plain
			kill "${background[-1]}"
			wait "${background[-1]}"
		done
	done
}

@test "xclient-stress: windows that come and go above a flood leave it whole" {
	mkfifo fed
	printf '%079d\n' $(seq 19978 20000) >text
	flood plain --geometry +600+0 -- sh -c 'cat text; cat'
	flood beneath --geometry +0+400 --scroll line -- sh -c "$(fed 20000)"
	"$X" windows beneath
	for i in 1 2 3 4 5; do
		"$X" flood --name above --geometry "+$((40 * i))+$((390 + 20 * i))" --rows 9 \
			--columns 30 -- "$FEED" --lines 200 lines
	done
	await fed
	"$XCS_TEST_BIN/same-pixels" beneath plain
}

@test "xclient-stress: windows tells inside, outside, drawing, still and missing" {
	flood draws --rows 2 -- "$FEED" lines
	flood hangs-over --rows 2 --geometry +0+1005 -- "$FEED" lines
	flood still --rows 2 --geometry +0+100 -- cat
	run "$X" windows draws
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "draws 0 0 484 30 inside drew" ]
	run "$X" windows --timeout 1s draws hangs-over still missing
	echo "$output"
	[ "$status" -eq 3 ]
	[ "${lines[0]}" = "draws 0 0 484 30 inside drew" ]
	[ "${lines[1]}" = "hangs-over 0 1005 484 30 outside drew" ]
	[ "${lines[2]}" = "still 0 100 484 30 inside still" ]
	[ "${lines[3]}" = "missing 0 0 0 0 outside still" ]
}

# Its lines are all alike, so the pixels of its screen never change.
@test "xclient-stress: a screen full of equal lines is seen to draw" {
	flood yes --rows 2 -- "$FEED" yes
	flood still --geometry +0+300 -- sh -c 'seq 30; cat'
	run "$X" windows yes
	echo "$output"
	[ "$status" -eq 0 ]
	run "$X" windows --timeout 1s still
	[ "$status" -eq 3 ]
	[[ $output == *" inside still" ]]
}

@test "xclient-stress: without DAMAGE the pixels alone tell who draws" {
	(
		BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR X_PID=
		x_start_xvfb -extension DAMAGE
		"$X" flood --name draws --rows 2 -- "$FEED" lines 3>&- 4>&- &
		"$X" windows draws >answer
		kill "$!"
		wait "$!"
		x_stop
	)
	[ "$(cat answer)" = "draws 0 0 484 30 inside drew" ]
}

@test "xclient-stress: one to four floods draw at once" {
	local names=()
	for i in 0 1 2 3; do
		names+=("client$i")
		flood "client$i" --rows 2 --geometry "+0+$((40 * i))" -- "$FEED" lines
		run "$X" windows "${names[@]}"
		echo "$output"
		[ "$status" -eq 0 ]
	done
}

@test "xclient-stress: rows and columns 0 fill the screen" {
	run "$X" flood --rows 0 --columns 0 --report-fd 1 -- sh -c 'stty size >size'
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cat size)" = "$(value rows) $(value columns)" ]
	[ "$(value width_px)" -le "$X_WIDTH" ] && [ "$(value width_px)" -gt $((X_WIDTH - 20)) ]
	[ "$(value height_px)" -le "$X_HEIGHT" ] && [ "$(value height_px)" -gt $((X_HEIGHT - 30)) ]
}

@test "xclient-stress: SIGTERM ends a flood with status 0 and its totals" {
	"$X" flood --report-fd 5 --rows 2 --name stopped -- "$FEED" lines 5>report 3>&- 4>&- &
	background+=($!)
	"$X" windows stopped
	kill "$!"
	wait "$!"
	output=$(cat report)
	echo "$output"
	[ "$(value lines)" -gt 0 ]
	[ "$(value frames)" -gt 0 ]
}

@test "xclient-stress: a server that dies takes the flood and its feeder along, in one sentence" {
	(
		BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR X_PID=
		x_start_xvfb
		"$X" flood --name doomed --rows 2 -- sh -c "echo \$\$ >feeder; exec '$FEED' lines" \
			2>sentence 3>&- 4>&- &
		"$X" windows doomed
		kill -KILL "$X_PID"
		rc=0
		wait $! || rc=$?
		echo $rc >status
		# What the server could not take away itself.
		rm -f "/tmp/.X${DISPLAY#:}-lock" "/tmp/.X11-unix/X${DISPLAY#:}"
	)
	cat sentence
	[ "$(cat status)" = 2 ]
	[ "$(wc -l <sentence)" -eq 1 ]
	timeout 20 tail --pid="$(cat feeder)" -f /dev/null
}

@test "xclient-stress: bytes and requests are those that the kernel saw" {
	command -v strace >/dev/null || skip "strace is not installed"
	run strace -o trace -e trace=writev,write,sendmsg \
		"$X" flood --rows 2 --report-fd 9 -- sh -c "'$FEED' --lines 3000 lines 2>/dev/null" 9>report
	[ "$status" -eq 0 ] || skip "strace cannot trace here: ${lines[0]:-}"
	output=$(cat report)
	seen=$(sed -nE 's/^writev\(.* = ([0-9]+)$/\1/p' trace | awk '{ n += $1 } END { print n }')
	echo "$output seen $seen"
	[ "$(value x_bytes)" -gt 200000 ]
	# The rest are the set-up before and the farewell behind the counted time.
	[ "$seen" -ge "$(value x_bytes)" ]
	[ $((seen - $(value x_bytes))) -lt 3000 ]
}

@test "xclient-stress: a real xterm confirms the feeder's last line" {
	command -v xterm >/dev/null || skip "xterm is not installed"
	for scroll in -j +j; do
		timeout 60 xterm $scroll -geometry 80x2 -T real -e \
			sh -c "'$FEED' --lines 3000 lines 2>total"
		[ "$(cat total)" = "total lines 3000 bytes 240000 confirmed 3000" ]
	done
}

@test "xclient-stress: the text widget keeps what a widget promises" {
	run "$XCS_TEST_BIN/text-widget"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "xclient-stress: every verb has its help" {
	for verb in flood server windows; do
		run "$X" $verb --help
		[ "$status" -eq 0 ]
		[[ $output == *"--display"* ]]
	done
	run "$X" --help
	[ "$status" -eq 0 ]
	for verb in flood server windows; do [[ $output == *"$verb"* ]]; done
}

# typed_into NAME FILE: an xterm that keeps what it is given as keys in a file.
typed_into() {
	xterm -T "$1" -xrm '*allowSendEvents: true' -e sh -c \
		"stty raw -echo; echo up >>'$BATS_TEST_TMPDIR/up'; exec dd bs=1 of='$2' 2>/dev/null" 3>&- 4>&- &
	background+=($!)
}

until_lines() { # FILE N
	local i
	for ((i = 0; i < 400; i++)); do
		[ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ] && return 0
		read -rt 0.05 <>"$BATS_TEST_TMPDIR/never" || true
	done
	return 1
}

@test "xclient-stress: keys are typed into the named window and no other" {
	command -v xterm >/dev/null || skip "xterm is not installed"
	mkfifo never in
	typed_into other "$BATS_TEST_TMPDIR/other"
	typed_into wanted "$BATS_TEST_TMPDIR/wanted"
	until_lines up 2
	exec 8<>in
	echo >&8
	run "$X" type --rate=200 --keys=30 wanted <&8
	exec 8>&-
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = ready ]
	local i
	for ((i = 0; i < 200; i++)); do
		[ "$(stat -c %s wanted)" -ge 30 ] && break
		read -rt 0.05 <>never || true
	done
	[ "$(cat wanted)" = abcdefghijklmnopqrstuvwxyzabcd ]
	[ ! -s other ]
}

@test "xclient-stress: a window that is not there is told" {
	run bash -c '"$X" type --timeout=200ms no-such-window </dev/null'
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"no window named 'no-such-window'"* ]]
}
