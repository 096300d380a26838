# SPDX-License-Identifier: GPL-2.0-or-later
# A session on Xwayland, in a compositor without screen: it is refused, and says why.

setup() {
	command -v weston >/dev/null && command -v Xwayland >/dev/null ||
		skip "needs weston and xwayland"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/runtime XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	mkdir -m 700 "$XDG_RUNTIME_DIR"
	log=$BATS_TEST_TMPDIR/weston.log
	weston --backend=headless-backend.so --xwayland --socket=xcsbench-test --idle-time=0 \
		>"$log" 2>&1 3>&- &
	weston=$!
	for _ in $(seq 200); do
		display=$(sed -n 's/.*xserver listening on display \(:[0-9]*\).*/\1/p' "$log")
		[ -z "$display" ] || break
		kill -0 "$weston" 2>/dev/null || break
		sleep 0.05
	done
	[ -n "$display" ] || skip "weston cannot start here: $(tail -n 1 "$log")"
	export DISPLAY=$display
}

teardown() {
	[ -z "${weston:-}" ] || { kill "$weston" 2>/dev/null && wait "$weston"; } || true
}

@test "run refuses Xwayland with the reason, and measures nothing" {
	run "$XCS_BIN/xcsbench" run a-four-xterm-flood --server=session --quick
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == *"is Xwayland, where the compositor draws"*"--server=embedded"* ]]
	[ ! -e "$XDG_DATA_HOME/xcsbench/runs" ] || [ -z "$(ls "$XDG_DATA_HOME/xcsbench/runs")" ]
}

@test "doctor fails the server and names the window manager" {
	run "$XCS_BIN/xcsbench" doctor --server=session
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == *"fail  server"*"Xwayland"* ]]
	[[ $output == *"warn  compositor"* ]]
}
