# SPDX-License-Identifier: GPL-2.0-or-later
# A session whose server has a compositing manager: both are reniced, both are watched.

setup() {
	command -v Xvfb >/dev/null || skip "Xvfb is not installed"
	command -v picom >/dev/null || skip "picom is not installed"
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	local number
	mkfifo "$BATS_TEST_TMPDIR/number"
	Xvfb -displayfd 5 -nolisten tcp 5<>"$BATS_TEST_TMPDIR/number" >/dev/null 2>&1 3>&- &
	x=$!
	read -rt 20 number <"$BATS_TEST_TMPDIR/number"
	export DISPLAY=:$number
	picom --backend xrender --config /dev/null >"$BATS_TEST_TMPDIR/picom.log" 2>&1 3>&- &
	picom=$!
}

teardown() {
	local pid
	for pid in "${picom:-}" "${x:-}"; do
		[ -z "$pid" ] || { kill "$pid" 2>/dev/null && wait "$pid"; } || true
	done
}

nices() { # of all threads of both, once each
	ps -L -o ni= -p "$x,$picom" | tr -d ' ' | sort -u | tr '\n' ' '
}

# Both are where the run put them, and samples are being taken.
until_sampled() {
	local i
	for ((i = 0; i < 400; i++)); do
		[ "$(nices)" = "-5 " ] && pgrep -P "$run" -f -- --record >/dev/null && return 0
		kill -0 "$run" 2>/dev/null || break
		sleep 0.05
	done
	echo "nice of both: $(nices)"
	return 1
}

# The first trial is spoiled by a renice of one, and is measured again.
@test "a compositor is reniced too, and what others change of it meanwhile is told" {
	"$XCS_BIN/xcsbench" run a-four-xterm-flood --server=session --boost=chain --quick \
		--sample=5s --load=flood --x-nice=-5 --max-foreign=100 \
		-o "$BATS_TEST_TMPDIR/run" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	run=$!
	until_sampled
	renice -n 3 -p "$picom" >/dev/null
	chrt -r -p 1 "$x"
	wait "$run" || [ $? -eq 3 ] # 3: where autogroups rule, the renice has no effect
	cat "$BATS_TEST_TMPDIR/out"
	jq -r '.trials[] | "\(.status) \(.reason)"' "$BATS_TEST_TMPDIR/run/run.json" |
		tee "$BATS_TEST_TMPDIR/trials"
	[ "$(sort -u "$BATS_TEST_TMPDIR/trials")" = "ok null
void somebody else changed the nice value of the compositor, which was to be -5" ]
	grep "Boost: chain (Xvfb and picom)" "$BATS_TEST_TMPDIR/out"
	tr -s '\n ' ' ' <"$BATS_TEST_TMPDIR/out" |
		grep "changed the policy of server (Xvfb, thread $x): other at the start of the run, rr 1 at its end"
	# The server is back where it was; what others set of the compositor stays theirs.
	[ "$(awk '{ print $19 }' "/proc/$x/stat") $(awk '{ print $19 }' "/proc/$picom/stat")" = "0 3" ]
}
