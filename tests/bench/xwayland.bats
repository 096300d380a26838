# SPDX-License-Identifier: GPL-2.0-or-later
# A session on Xwayland, in a compositor without screen: the server alone is refused, and both
# together are measured.

setup() {
	command -v weston >/dev/null && command -v Xwayland >/dev/null ||
		skip "needs weston and xwayland"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/runtime XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/state TMPDIR=$BATS_TEST_TMPDIR
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
	[[ $output == *"is Xwayland, where the compositor draws"*"--boost=chain"*"--server=embedded"* ]]
	[ ! -e "$XDG_DATA_HOME/xcsbench/runs" ] || [ -z "$(ls "$XDG_DATA_HOME/xcsbench/runs")" ]
}

@test "doctor fails the server and names the window manager" {
	run "$XCS_BIN/xcsbench" doctor --server=session
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == *"fail  server"*"Xwayland"*"--boost=chain"* ]]
	[[ $output == *"warn  compositor"* ]]
}

nices() { # PID...: of all their threads, once each
	ps -L -o ni= -p "$(IFS=,; echo "$*")" | tr -d ' ' | sort -u | tr '\n' ' '
}

# One trial, and meanwhile both have its level; afterwards both have their own.
@test "run --boost=chain renices Xwayland and weston, and puts both back after SIGKILL" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	local run seen=no x i
	"$XCS_BIN/xcsbench" run a-four-xterm-flood --server=session --boost=chain --quick \
		--sample=5s --load=flood --x-nice=-5 --max-foreign=100 --quiet \
		-o "$BATS_TEST_TMPDIR/run" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	run=$!
	for ((i = 0; i < 400; i++)); do
		x=$(pgrep -P "$weston" -x Xwayland || true)
		[ -z "$x" ] || [ "$(nices "$x" "$weston")" != "-5 " ] || { seen=yes && break; }
		kill -0 "$run" 2>/dev/null || break
		sleep 0.05
	done
	cat "$BATS_TEST_TMPDIR/out"
	echo "nice of both: $(nices "$x" "$weston")"
	kill -KILL "$run" || true
	wait "$run" || true
	[ "$seen" = yes ]
	for ((i = 0; i < 200; i++)); do
		[ "$(nices "$x" "$weston")" != "0 " ] || break
		sleep 0.05
	done
	[ "$(nices "$x" "$weston")" = "0 " ]
	[ "$(jq -r '.plan.boost' "$BATS_TEST_TMPDIR/run/run.json")" = chain ]
}
