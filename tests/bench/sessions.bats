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
	rm -rf "${lock:-}" "${cookie:-}"
}

# start_server [OPTION...]: sets $pid and $number; the server is that of $server_uid, if set.
start_server() {
	local fifo=$BATS_TEST_TMPDIR/number.${#servers[@]}
	mkfifo "$fifo"
	${server_uid:+setpriv --reuid="$server_uid" --regid="$server_uid" --clear-groups} \
		Xvfb -displayfd 5 -nolisten tcp "$@" 5<>"$fifo" >/dev/null 2>&1 3>&- &
	pid=$!
	servers+=("$pid")
	read -rt 20 number <"$fifo"
}

describe() { "$XCS_BIN/../libexec/xcsbench/xclient-stress" server; }

# refused STATUS WORDS: run ends so within ten seconds, says it in one line, and leaves neither
# a record nor a process.
refused() {
	local said rc=0
	said=$(REFUSED=$BATS_TEST_TMPDIR timeout 10 "$xcsbench" run a-four-xterm-flood \
		--server=session --quick --quiet --output="$BATS_TEST_TMPDIR/run" 2>&1 >/dev/null) || rc=$?
	echo "DISPLAY=${DISPLAY-unset}, exit $rc: $said"
	[ "$rc" -eq "$1" ] && [[ $said == *"$2"* ]] && [ "$(wc -l <<<"$said")" -eq 1 ] || return 1
	[ ! -e "$BATS_TEST_TMPDIR/run" ] && [ ! -e "$XDG_DATA_HOME/xcsbench/runs" ] || return 1
	[ "$(grep -lsa "REFUSED=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ | wc -l)" -eq 0 ]
}

# A cookie file for any display.
put_cookie() { xauth -q -f "$1" add "${2:-:0}" . 00112233445566778899aabbccddeeff; }

@test "of two servers the one that DISPLAY names is the one found" {
	start_server
	local first=$pid first_number=$number
	start_server
	export DISPLAY=:$number.0
	describe | grep -x "pid $pid"
	DISPLAY=:$first_number.0 describe | grep -x "pid $first"
	DISPLAY=unix:$first_number describe | grep -x "pid $first"
}

@test "a lock file that names another server refuses, and a stale one does not" {
	local dead other
	start_server
	other=$pid
	start_server
	export DISPLAY=:$number.0
	lock=/tmp/.X$number-lock
	printf '%10d\n' "$other" >"$lock"
	refused 2 "is process $pid by its socket, and process $other, another X server, by $lock"
	true &
	dead=$!
	wait "$dead"
	printf '%10d\n' "$dead" >"$lock"
	run timeout 60 "$xcsbench" doctor --server=session
	echo "$output"
	[[ $output == *"ok    server"*"pid $pid"* ]]
}

@test "displays of other hosts, forwarded, malformed and dead ones are refused" {
	local display
	start_server
	for display in localhost:10.0 otherhost:0 127.0.0.1:0 '[::1]:0' garbage; do
		export DISPLAY=$display
		refused 2 "DISPLAY=$display is not local"
	done
	for display in ":$((number + 4000))" unix:/tmp/.X11-unix/none /tmp/.X11-unix/none; do
		export DISPLAY=$display
		refused 2 "no X server answers at DISPLAY=$display: start it, or set DISPLAY and XAUTHORITY"
	done
	export DISPLAY=
	refused 2 "DISPLAY is not set"
	unset DISPLAY
	refused 2 "DISPLAY is not set"
	[[ $(refused 2 "set DISPLAY and XAUTHORITY") == *"served: "*":$number"* ]]
}

@test "without the cookie DISPLAY, XAUTHORITY and what was tried are named" {
	command -v xauth >/dev/null || skip "xauth is not installed"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/runtime HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$XDG_RUNTIME_DIR/gdm" "$HOME"
	touch "$XDG_RUNTIME_DIR/gdm/Xauthority" "$HOME/.Xauthority"
	put_cookie "$BATS_TEST_TMPDIR/server"
	start_server -auth "$BATS_TEST_TMPDIR/server"
	export DISPLAY=:$number XAUTHORITY=/dev/null
	refused 2 "DISPLAY=:$number with XAUTHORITY=/dev/null"
	refused 2 "refused too with $XDG_RUNTIME_DIR/gdm/Xauthority, $HOME/.Xauthority"
}

@test "a cookie is found where a session keeps it, and nothing else serves" {
	local place leader
	command -v xauth >/dev/null || skip "xauth is not installed"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/runtime HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$XDG_RUNTIME_DIR/gdm"
	put_cookie "$BATS_TEST_TMPDIR/server"
	start_server -noreset -auth "$BATS_TEST_TMPDIR/server"
	export DISPLAY=:$number XAUTHORITY=/dev/null
	for place in runtime/gdm/Xauthority home/.Xauthority; do
		refused 2 "DISPLAY=$DISPLAY with XAUTHORITY=/dev/null"
		put_cookie "$BATS_TEST_TMPDIR/$place" "$DISPLAY"
		run timeout 60 "$xcsbench" doctor --server=session
		echo "$place: $output"
		[[ $output == *"ok    server"*"pid $pid"* ]]
		rm "$BATS_TEST_TMPDIR/$place"
	done
	# The session's leader says where it is, wherever that may be.
	put_cookie "$BATS_TEST_TMPDIR/elsewhere" "$DISPLAY"
	XAUTHORITY=$BATS_TEST_TMPDIR/elsewhere sleep 60 3>&- &
	leader=$!
	servers+=("$leader")
	run timeout 60 "$xcsbench" doctor --server=session
	echo "leader: $output"
	[[ $output == *"ok    server"*"pid $pid"* ]]
}

as() { # UID COMMAND...
	local uid=$1
	shift
	setpriv --reuid="$uid" --regid="$uid" --clear-groups "$@"
}

# may_become_others: or skips the test.
may_become_others() {
	[ "$(id -u)" -eq 0 ] || skip "needs root to become another user"
	as 65534 test -x "$xcsbench" || skip "an ordinary user may not enter the build tree"
}

@test "under sudo the cookies are those of the user, not root's" {
	may_become_others
	command -v xauth >/dev/null || skip "xauth is not installed"
	export HOME=$BATS_TEST_TMPDIR/home SUDO_UID=65534
	mkdir "$HOME"
	put_cookie "$BATS_TEST_TMPDIR/server"
	start_server -noreset -auth "$BATS_TEST_TMPDIR/server"
	export DISPLAY=:$number
	put_cookie "$HOME/.Xauthority" "$DISPLAY"
	cookie=$(mktemp /tmp/xauth_XXXXXX)
	put_cookie "$cookie" "$DISPLAY"
	run timeout 10 "$xcsbench" doctor --server=session
	echo "$output"
	[[ $output == *"fail  server"* && $output != *"$HOME"* ]]
	chown 65534:65534 "$cookie"
	run timeout 60 "$xcsbench" doctor --server=session
	echo "$output"
	[[ $output == *"ok    server"*"pid $pid"* ]]
}

@test "the server of another user is refused, unless root asks" {
	may_become_others
	local home
	server_uid=65534
	start_server -ac
	home=$(mktemp -d)
	cookie=$home # to be removed
	chown 1:1 "$home"
	export DISPLAY=:$number
	run as 1 env -u XDG_DATA_HOME -u XDG_STATE_HOME HOME="$home" TMPDIR="$home" timeout 10 \
		"$xcsbench" run a-four-xterm-flood --server=session --quick --quiet
	echo "$output"
	[ "$status" -eq 3 ]
	[[ $output == *"the X server of :$number (process $pid) is run by user nobody (uid 65534)"* ]]
	[ -z "$(ls -A "$home/.local/share/xcsbench/runs")" ]
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
	refused 2 "cannot be measured"
}

@test "without XTEST, DAMAGE and RECORD doctor warns and names them" {
	start_server -extension XTEST -extension DAMAGE -extension RECORD
	export DISPLAY=:$number
	run describe
	[[ $output == *"extension RANDR"* ]]
	[ "$(grep -Ecx "extension (XTEST|DAMAGE|RECORD)" <<<"$output")" -eq 0 ]
	run timeout 60 "$xcsbench" doctor --server=session
	echo "$output"
	[[ $output == *"warn  extensions"*"lacks XTEST, DAMAGE, RECORD"* ]]
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
	local report rc=0 groups group switch=/proc/sys/kernel/sched_autogroup_enabled who="the user who measures"
	write_scenario 0,5
	[ "$(id -u)" -ne 0 ] || { server_uid=65534 && who="another user"; }
	start_server -extension XTEST
	export DISPLAY=:$number
	groups=$(cat "/proc/$pid/autogroup" "$switch" 2>/dev/null || echo none)
	group=$(cut -d" " -f1 "/proc/$pid/autogroup" 2>/dev/null || true)
	"$xcsbench" run "$scenario" --server=session --quick --quiet --max-foreign=100 \
		--output="$BATS_TEST_TMPDIR/run" >/dev/null || rc=$?
	[ "$rc" -eq 0 ] || [ "$rc" -eq 3 ] # renice may be without effect
	[ "$(cat "/proc/$pid/autogroup" "$switch" 2>/dev/null || echo none)" = "$groups" ]
	jq -e '.status == "complete" and (.trials | all(.status == "ok"))' "$BATS_TEST_TMPDIR/run/run.json"
	jq -e --arg who "$who" '[.environment[] | select(.key | IN("server.user", "server.rootless")).value] ==
		[$who, "yes"]' "$BATS_TEST_TMPDIR/run/run.json"
	report=$(report_of "$BATS_TEST_TMPDIR/run")
	[[ $report == *"extensions: the server lacks XTEST"*"without XTEST input probes are n/a"* ]]
	[[ $report == *"Pointer and key latency"*"needs XTEST, which this server lacks"* ]]
	# No figure of the report is one of input.
	[ "$("$xcsbench" report "$BATS_TEST_TMPDIR/run" | grep -Ec "^(pointer|key)[ _]")" -eq 0 ]
	[ "$(jq -r .probe.verdict "$BATS_TEST_TMPDIR/run/run.json")" != "ineffective (autogroup)" ] && return
	[ "$rc" -eq 3 ]
	[[ $report == *"X nice*"*"*: nice of X not effective between these groups: ineffective (autogroup)."* ]]
	[[ $report == *"Autogroup enabled 1"*"Server autogroup ${group:-none}"*"Client autogroup /autogroup-"* ]]
}

@test "without X-Resource the socket's peer names the server" {
	start_server -extension X-Resource
	export DISPLAY=:$number
	describe >"$BATS_TEST_TMPDIR/facts"
	grep -x "how peercred" "$BATS_TEST_TMPDIR/facts"
	grep -x "pid $pid" "$BATS_TEST_TMPDIR/facts"
}
