#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The X clients on a private Xorg with the dummy driver.

load xserver.bash

setup_file() {
	x_start_xorg_dummy || export X_SKIP=$X_WHY
	export X="$XCS_LIBEXEC/xclient-stress" FEED="$XCS_LIBEXEC/xcs-feed"
}

teardown_file() {
	x_stop
}

setup() {
	[ -z "${X_SKIP:-}" ] || skip "$X_SKIP"
	cd "$BATS_TEST_TMPDIR" || return
}

@test "xclient-stress: server names the Xorg process, and its CRTC is the screen" {
	run "$X" server
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(value pid)" = "$X_PID" ]
	[ "$(value comm)" = Xorg ]
	[ "$(value how)" = xres ]
	[ "$(value crtc)" = "0 0 $X_WIDTH $X_HEIGHT" ]
	[ "$(value xwayland)" = no ]
}

@test "xclient-stress: a flood draws all lines on Xorg, and is seen to" {
	for scroll in jump line; do
		"$X" flood --name "$scroll" --rows 4 --scroll $scroll --report-fd 5 -- \
			sh -c "'$FEED' --lines 20000 lines 2>total" 5>report 3>&- 4>&- &
		flood=$!
		run "$X" windows $scroll
		echo "$output"
		[ "$status" -eq 0 ]
		wait $flood
		output=$(cat report)
		echo "$output"
		[ "$(cat total)" = "total lines 20000 bytes 1600000 confirmed 20000" ]
		[ "$(value lines)" = 20000 ]
		[ "$(value scrolls)" -le 19997 ]
	done
}

@test "xclient-stress: a window below the screen is outside it" {
	"$X" flood --name below --rows 24 --geometry +0+900 -- "$FEED" lines 3>&- 4>&- &
	run "$X" windows below
	kill $!
	wait $!
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == "below 0 900 "*" outside drew" ]]
}
