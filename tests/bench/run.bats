# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench run against what users do to it: bad input, a missing server, the dry run.

setup() {
	xcsbench=$XCS_BIN/xcsbench
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	unset DISPLAY
}

# check_failure STATUS WORDS ARG...: that exit status, and one line on stderr with these words.
check_failure() {
	local want=$1 word=$2
	shift 2
	local said rc=0
	said=$("$xcsbench" "$@" 2>&1 >/dev/null) || rc=$?
	echo "exit $rc: $said"
	[ "$rc" -eq "$want" ] && [[ $said == *"$word"* ]] && [ "$(wc -l <<<"$said")" -eq 1 ]
}

@test "list names the scenarios" {
	run "$xcsbench" list
	[ "$status" -eq 0 ]
	[[ $output == *"a-four-xterm-flood"* ]]
}

@test "an unknown scenario is refused with where to look" {
	check_failure 2 "xcsbench list" run no-such-scenario
}

@test "an unknown scenario key is refused with file and line" {
	printf 'title = "T";\nx_nice = [ 0 ];\nfoo = 1;\nloads = ( { id = "a"; kind = "xterm"; } );\n' \
		>"$BATS_TEST_TMPDIR/s.cfg"
	check_failure 2 "s.cfg:3: unknown key 'foo'" run "$BATS_TEST_TMPDIR/s.cfg"
}

@test "a nice level out of range is refused" {
	check_failure 2 "from -20 to 19" run a-four-xterm-flood --x-nice=0,-21
}

@test "too many clients are refused" {
	check_failure 2 "from 1 to 64" run a-four-xterm-flood --clients=65
}

@test "a window under five seconds is refused" {
	check_failure 2 "--sample" run a-four-xterm-flood --sample=1s
}

@test "a load that the scenario lacks is refused" {
	check_failure 2 "no load 'rxvt'" run a-four-xterm-flood --load=rxvt
}

@test "no session to measure is said" {
	check_failure 2 "DISPLAY is not set" run a-four-xterm-flood --server=session --quiet
}

@test "a dead display is said" {
	export DISPLAY=:4711
	check_failure 2 ":4711" run a-four-xterm-flood --server=session --quiet
}

@test "windows that would cover each other are refused" {
	command -v Xvfb >/dev/null || skip "Xvfb is not installed"
	check_failure 2 "side by side" run a-four-xterm-flood --server=xvfb --quiet --clients=64 \
		--rows=24
}

@test "an output folder that cannot be made is said" {
	touch "$BATS_TEST_TMPDIR/file"
	check_failure 2 "$BATS_TEST_TMPDIR/file" run a-four-xterm-flood --server=xvfb --quiet \
		--output="$BATS_TEST_TMPDIR/file/run"
}

@test "an output folder that is not empty is refused" {
	mkdir "$BATS_TEST_TMPDIR/old"
	echo '{}' >"$BATS_TEST_TMPDIR/old/run.json"
	check_failure 2 "is not empty" run a-four-xterm-flood --server=xvfb --quiet \
		--output="$BATS_TEST_TMPDIR/old"
	[ "$(cat "$BATS_TEST_TMPDIR/old/run.json")" = '{}' ]
}

# Neither to a level below, nor to one from which there is no way back.
@test "without rights absolute levels are refused, with the remedy and without a record" {
	local levels drop=()
	[ "$(id -u)" -ne 0 ] || drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	# test(1) for it: what setpriv itself executes it executes with root's rights.
	"${drop[@]}" test -x "$xcsbench" || skip "an ordinary user may not enter the build tree"
	chmod 1777 "$BATS_TEST_TMPDIR"
	for levels in -10 0,10; do
		run "${drop[@]}" "$xcsbench" run a-four-xterm-flood --mode=absolute --x-nice="$levels" \
			--output="$BATS_TEST_TMPDIR/run"
		echo "exit $status: $output"
		[ "$status" -eq 3 ]
		[[ $output == *"${levels%%,*} and back"*"CAP_SYS_NICE or RLIMIT_NICE of at least $((20 - ${levels%%,*}));"*sudo* ]]
		[ ! -e "$BATS_TEST_TMPDIR/run" ]
	done
}

@test "an ordinary user levels the load's autogroups, so that renice is effective" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to become another user"
	[ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null)" = 1 ] ||
		skip "autogroups are off here"
	local rc=0 record home found strangers drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${drop[@]}" test -x "$xcsbench" || skip "an ordinary user may not enter the build tree"
	home=$(mktemp -d)
	record=$home/run/run.json
	chown 65534:65534 "$home"
	"${drop[@]}" env -u XDG_DATA_HOME -u XDG_STATE_HOME HOME="$home" TMPDIR="$home" \
		"$xcsbench" run a-four-xterm-flood --quick --one-cpu --server=xvfb --autogroup=nice \
		--sample=5s --load=flood --x-nice=-10 --max-foreign=100 --output="$home/run" \
		>"$home/out" 2>&1 || rc=$?
	cat "$home/out"
	jq -c '.plan.mode, .probe.verdict, (.looks[-1].threads[] | select(.tid == .pid) |
		[.role, .nice, .autogroup])' "$record" | sed 's|/autogroup-[0-9]*||' >"$home/found"
	cat "$home/found"
	found=$(cat "$home/found")
	strangers=$(find "$home/run" ! -user 65534)
	rm -rf "$home"
	[ "$rc" -eq 0 ] && [ -z "$strangers" ]
	[[ $found == '"relative"'*'"effective"'* ]]
	[ "$(grep -c '\["\(client\|feeder\).",10," nice 10"\]' <<<"$found")" -eq 8 ]
	[[ $found == *'["server",0," nice 0"]'* ]]
}

@test "autogroups are switched off by root alone" {
	local said rc=0 drop=()
	[ "$(id -u)" -ne 0 ] || drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${drop[@]}" test -x "$xcsbench" || skip "an ordinary user may not enter the build tree"
	[ -e /proc/self/autogroup ] || skip "this kernel has no autogroups"
	said=$("${drop[@]}" "$xcsbench" run a-four-xterm-flood --autogroup=off 2>&1) || rc=$?
	echo "exit $rc: $said"
	[ "$rc" -eq 3 ] && [[ $said == *"--autogroup=off needs root"*"--autogroup=nice"* ]]
}

@test "a remote display is refused" {
	export DISPLAY=otherhost:0
	check_failure 2 "not local" run a-four-xterm-flood --server=session --quiet
}

@test "a refused run leaves no record" {
	export DISPLAY=:4711
	check_failure 2 ":4711" run a-four-xterm-flood --server=session --quiet \
		--output="$BATS_TEST_TMPDIR/none"
	[ ! -e "$BATS_TEST_TMPDIR/none" ]
}

@test "no xterm is said before anything is started" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	PATH=$BATS_TEST_TMPDIR/bin check_failure_path
}

check_failure_path() {
	local said rc=0
	said=$("$xcsbench" run a-four-xterm-flood --server=xvfb --quiet 2>&1) || rc=$?
	[ "$rc" -eq 2 ] && [[ $said == *"package xterm"* ]]
}

@test "output that cannot be written is an error" {
	[ -e /dev/full ] || skip "there is no /dev/full"
	local rc=0
	"$xcsbench" list >/dev/full 2>"$BATS_TEST_TMPDIR/said" || rc=$?
	[ "$rc" -eq 2 ]
	grep -q "No space left" "$BATS_TEST_TMPDIR/said"
}

@test "a dry run of the profile controlled names each setting and changes none" {
	[ "$EUID" = 0 ] || skip "needs root"
	before=$(cat /proc/sys/kernel/*watchdog)
	run "$xcsbench" run a-four-xterm-flood --dry-run --quick --profile=controlled
	[ "$status" = 0 ]
	for file in /proc/sys/kernel/{nmi,soft}_watchdog cpufreq/boost no_turbo scaling_governor; do
		[[ $output == *"$file"* ]]
	done
	[ "$before" = "$(cat /proc/sys/kernel/*watchdog)" ]
}

@test "a dry run prints the plan and makes nothing" {
	run "$xcsbench" run a-four-xterm-flood --dry-run --seed=7 --mode=relative
	[ "$status" -eq 0 ]
	[[ $output == *"seed 7"* ]]
	[ ! -e "$XDG_DATA_HOME" ]
}

@test "the same seed gives the same plan" {
	[ "$("$xcsbench" run a-four-xterm-flood -n --seed=7)" = \
		"$("$xcsbench" run a-four-xterm-flood -n --seed=7)" ]
	[ "$("$xcsbench" run a-four-xterm-flood -n --seed=7)" != \
		"$("$xcsbench" run a-four-xterm-flood -n --seed=8)" ]
}

@test "a folder is no scenario" {
	check_failure 2 "is no file" run "$BATS_TEST_TMPDIR/"
}

@test "a server in another pid namespace is refused" {
	[ "$(id -u)" -eq 0 ] || skip "a pid namespace needs root"
	command -v Xvfb >/dev/null || skip "Xvfb is not installed"
	mkfifo "$BATS_TEST_TMPDIR/number"
	unshare --pid --fork --kill-child Xvfb -displayfd 5 -nolisten tcp 5>"$BATS_TEST_TMPDIR/number" \
		>/dev/null 2>&1 3>&- &
	local outer=$! number
	read -rt 20 number <"$BATS_TEST_TMPDIR/number" || {
		kill -KILL "$outer"
		skip "pid namespaces are not allowed here"
	}
	export DISPLAY=:$number
	local rc=0
	check_failure 2 "cannot be measured" run a-four-xterm-flood --server=session --quiet || rc=1
	kill "$(pgrep -P "$outer" -x Xvfb)" # unshare itself passes no signal on
	wait "$outer" || true
	[ "$rc" -eq 0 ]
}
