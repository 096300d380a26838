# SPDX-License-Identifier: GPL-2.0-or-later
# The session's X server: found among several, refused where it cannot be measured, and told
# by what it lacks. Every refusal comes in seconds and leaves nothing.

setup() {
	command -v Xvfb >/dev/null || skip "Xvfb is not installed"
	xcsbench=$XCS_BIN/xcsbench
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset DISPLAY XAUTHORITY
	servers=()
}

teardown() {
	local pid
	for pid in "${servers[@]}"; do
		kill "$pid" 2>/dev/null && wait "$pid" || true
	done
}

# start_server [OPTION...]: sets $pid and $number.
start_server() {
	local fifo=$BATS_TEST_TMPDIR/number.${#servers[@]}
	mkfifo "$fifo"
	Xvfb -displayfd 5 -nolisten tcp "$@" 5<>"$fifo" >/dev/null 2>&1 3>&- &
	pid=$!
	servers+=("$pid")
	read -rt 20 number <"$fifo"
}

describe() { "$XCS_BIN/../libexec/xcsbench/xclient-stress" server; }

# refused WORDS: run ends with 2 or 3 in ten seconds, says so in a line and leaves no record.
refused() {
	local said rc=0
	said=$(timeout 10 "$xcsbench" run a-four-xterm-flood --server=session --quick --quiet \
		--output="$BATS_TEST_TMPDIR/run" 2>&1 >/dev/null) || rc=$?
	echo "DISPLAY=${DISPLAY-unset}, exit $rc: $said"
	[ "$rc" -eq 2 ] || [ "$rc" -eq 3 ] || return 1
	[[ $said == *"$1"* ]] && [ "$(wc -l <<<"$said")" -eq 1 ] || return 1
	[ ! -e "$BATS_TEST_TMPDIR/run" ]
}

@test "of two servers the one that DISPLAY names is the one found" {
	start_server
	local first=$pid first_number=$number
	start_server
	export DISPLAY=:$number.0
	describe | grep -x "pid $pid"
	DISPLAY=:$first_number.0 describe | grep -x "pid $first"
	DISPLAY=unix:$first_number describe | grep -x "pid $first"
}

@test "displays of other hosts, forwarded and malformed ones are refused" {
	local display
	for display in localhost:10.0 otherhost:0 127.0.0.1:0 '[::1]:0' garbage; do
		export DISPLAY=$display
		refused "DISPLAY=$display is not local"
	done
	export DISPLAY=
	refused "DISPLAY is not set"
}

@test "without the cookie DISPLAY and XAUTHORITY are named" {
	local auth=$BATS_TEST_TMPDIR/auth
	command -v xauth >/dev/null || skip "xauth is not installed"
	xauth -q -f "$auth" add :0 . 00112233445566778899aabbccddeeff
	start_server -auth "$auth"
	export DISPLAY=:$number XAUTHORITY=/dev/null
	refused "DISPLAY=:$number with XAUTHORITY=/dev/null"
}

@test "a cookie is found where a session keeps it, and nothing else serves" {
	local place auth cookie=00112233445566778899aabbccddeeff
	command -v xauth >/dev/null || skip "xauth is not installed"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/runtime HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$XDG_RUNTIME_DIR/gdm"
	xauth -q -f "$BATS_TEST_TMPDIR/server" add :0 . "$cookie"
	start_server -noreset -auth "$BATS_TEST_TMPDIR/server"
	export DISPLAY=:$number XAUTHORITY=/dev/null
	for place in runtime/gdm/Xauthority home/.Xauthority; do
		auth=$BATS_TEST_TMPDIR/$place
		refused "DISPLAY=$DISPLAY with XAUTHORITY=/dev/null"
		xauth -q -f "$auth" add "$DISPLAY" . "$cookie"
		run timeout 60 "$xcsbench" doctor --server=session
		echo "$place: $output"
		[[ $output == *"ok    server"*"pid $pid"* ]]
		rm "$auth"
	done
}

@test "doctor says the rest when there is no session" {
	export DISPLAY=localhost:10.0
	run timeout 30 "$xcsbench" doctor --server=session
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == *"fail  server"* && $output == *"  disk"* && $output == *"is not local"* ]]
}

@test "a socket that another process passes on is refused" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	start_server
	local real=/tmp/.X11-unix/X$number fake=$((number + 4000))
	mkfifo "$BATS_TEST_TMPDIR/proxy"
	python3 "$BATS_TEST_DIRNAME/x_proxy.py" "/tmp/.X11-unix/X$fake" "$real" 3>&- \
		1<>"$BATS_TEST_TMPDIR/proxy" &
	servers+=("$!")
	read -rt 20 <"$BATS_TEST_TMPDIR/proxy"
	export DISPLAY=:$fake
	refused "cannot be measured"
}

@test "without XTEST, DAMAGE or RECORD doctor warns and names it" {
	local extension
	for extension in XTEST DAMAGE RECORD; do
		start_server -extension "$extension"
		export DISPLAY=:$number
		[[ $(describe) != *"extension $extension"$'\n'* ]]
		run timeout 60 "$xcsbench" doctor --server=session
		echo "$output"
		[[ $output == *"warn  extensions"*"lacks"*"$extension"* ]]
	done
}

# write_scenario LEVELS: a command of a few milliseconds, so the run takes a second.
write_scenario() {
	scenario=$BATS_TEST_TMPDIR/s.cfg
	cat >"$scenario" <<-END
		title = "T"; x_nice = [ $1 ];
		loads = ( { id = "seq"; kind = "flood"; command = "seq 2000"; clients = 1; } );
	END
}

# report_of RUN: its report in one line.
report_of() { "$xcsbench" report "$1" | tr -s '\n ' ' '; }

@test "without XTEST loads run, input is n/a, and the autogroups stay as they are" {
	local report rc=0 groups switch=/proc/sys/kernel/sched_autogroup_enabled
	write_scenario 0,5
	start_server -extension XTEST
	export DISPLAY=:$number
	groups=$(cat "/proc/$pid/autogroup" "$switch" 2>/dev/null || echo none)
	"$xcsbench" run "$scenario" --server=session --quick --quiet --max-foreign=100 \
		--output="$BATS_TEST_TMPDIR/run" >/dev/null || rc=$?
	[ "$rc" -eq 0 ] || [ "$rc" -eq 3 ] # renice may be without effect
	[ "$(cat "/proc/$pid/autogroup" "$switch" 2>/dev/null || echo none)" = "$groups" ]
	jq -e '.status == "complete" and (.trials | all(.status == "ok"))' "$BATS_TEST_TMPDIR/run/run.json"
	report=$(report_of "$BATS_TEST_TMPDIR/run")
	[[ $report == *"extensions: the server lacks XTEST"*"without XTEST input probes are n/a"* ]]
	[[ $report == *"Pointer and key latency"*"needs XTEST, which this server lacks"* ]]
	# No figure of the report is one of input.
	[ "$("$xcsbench" report "$BATS_TEST_TMPDIR/run" | grep -Ec "^(pointer|key)[ _]")" -eq 0 ]
	[ "$(jq -r .probe.verdict "$BATS_TEST_TMPDIR/run/run.json")" != "ineffective (autogroup)" ] && return
	[ "$rc" -eq 3 ]
	[[ $report == *"X nice*"*"*: nice of X not effective between these groups: ineffective (autogroup)."* ]]
	[[ $report == *"Autogroup enabled 1"*"Server autogroup ${groups%% *}"*"Client autogroup /autogroup-"* ]]
}

@test "without X-Resource the socket's peer names the server" {
	start_server -extension X-Resource
	export DISPLAY=:$number
	describe >"$BATS_TEST_TMPDIR/facts"
	grep -x "how peercred" "$BATS_TEST_TMPDIR/facts"
	grep -x "pid $pid" "$BATS_TEST_TMPDIR/facts"
}
