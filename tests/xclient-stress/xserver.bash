# SPDX-License-Identifier: GPL-2.0-or-later
# Private X servers for bats files: start one in setup_file, stop it in teardown_file. It
# takes a free display by itself and says which (-displayfd), so nothing is guessed and
# nothing waits for a time. DISPLAY, XAUTHORITY and X_PID are exported.

X_WIDTH=1280 X_HEIGHT=1024

# x_cookie: a fresh cookie for any display, in a file of our own.
x_cookie() {
	command -v xauth >/dev/null || return 0
	export XAUTHORITY=$BATS_FILE_TMPDIR/xauthority
	: >"$XAUTHORITY"
	xauth -q -f "$XAUTHORITY" add :0 . "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
}

# x_readdress DISPLAY: the cookie was made before the display's number was known.
x_readdress() {
	[ -n "${XAUTHORITY:-}" ] || return 0
	xauth -q -f "$XAUTHORITY" add "$1" . "$(xauth -f "$XAUTHORITY" list :0 | awk '{ print $3; exit }')"
}

# x_start PROGRAM ARG...: starts a server and waits until it says its display.
x_start() {
	local fifo=$BATS_FILE_TMPDIR/display log=$BATS_FILE_TMPDIR/server.log number
	command -v "$1" >/dev/null || { X_WHY="$1 is not installed" && return 1; }
	x_cookie
	rm -f "$fifo" && mkfifo "$fifo"
	"$@" -displayfd 9 -noreset -nolisten tcp ${XAUTHORITY:+-auth "$XAUTHORITY"} \
		9<>"$fifo" >"$log" 2>&1 3>&- 4>&- </dev/null &
	export X_PID=$!
	if ! read -r -t 30 number <>"$fifo"; then
		kill "$X_PID" 2>/dev/null
		X_WHY="$1 did not start: $(grep -m 1 -iE 'error|fatal' "$log")"
		return 1
	fi
	export DISPLAY=:$number
	x_readdress "$DISPLAY"
}

x_start_xvfb() {
	x_start Xvfb -screen 0 "${X_WIDTH}x${X_HEIGHT}x24" "$@"
}

# Without this Modeline the dummy driver comes up at 1400x1050, whatever Virtual says, and
# the CRTC is not the screen.
x_start_xorg_dummy() {
	local conf=$BATS_FILE_TMPDIR/xorg.conf
	[ "$(id -u)" -eq 0 ] || { X_WHY="only root may run Xorg directly" && return 1; }
	cat >"$conf" <<-END
		Section "ServerFlags"
			Option "AutoAddDevices" "false"
			Option "AutoAddGPU" "false"
		EndSection
		Section "Device"
			Identifier "device"
			Driver "dummy"
			VideoRam 256000
		EndSection
		Section "Monitor"
			Identifier "monitor"
			HorizSync 5-1000
			VertRefresh 5-200
			Modeline "screen" 108 $X_WIDTH 1328 1440 1688 $X_HEIGHT 1025 1028 1066
		EndSection
		Section "Screen"
			Identifier "screen"
			Device "device"
			Monitor "monitor"
			DefaultDepth 24
			SubSection "Display"
				Depth 24
				Modes "screen"
			EndSubSection
		EndSection
	END
	x_start /usr/lib/xorg/Xorg -config "$conf" -logfile "$BATS_FILE_TMPDIR/xorg.log" \
		-keeptty -novtswitch -sharevts
}

# x_stop: ends the server and sees that it has ended.
x_stop() {
	[ -n "${X_PID:-}" ] || return 0
	kill "$X_PID" 2>/dev/null || true
	tail --pid="$X_PID" -f /dev/null
	[ ! -e "/tmp/.X${DISPLAY#:}-lock" ]
}

# value KEY: what $output says behind KEY.
value() {
	sed -n "s/^$1 //p" <<<"$output"
}

# one_sentence: $output is one line that begins with the program's name.
one_sentence() {
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == xclient-stress*": "* ]]
}
