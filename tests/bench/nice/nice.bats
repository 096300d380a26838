# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench-nice with the right that an administrator may give it, and without.

setup() {
	[ "$(id -u)" -eq 0 ] || skip "needs root to give a program a capability"
	command -v setcap >/dev/null || skip "needs setcap (package libcap2-bin)"
	home=$(mktemp -d)
	cp -r "$XCS_BIN/../bin" "$XCS_BIN/../libexec" "$XCS_BIN/../share" "$home/"
	nice=$home/libexec/xcsbench/xcsbench-nice
	mkdir "$home/user"
	chown nobody "$home/user"
	chmod 755 "$home"
}

teardown() {
	[ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true
	[ -z "${home:-}" ] || rm -rf "$home"
}

# become COMMAND...: this shell becomes that command of user nobody
become() {
	exec setpriv --reuid=nobody --regid=nogroup --clear-groups env -u XDG_DATA_HOME -u XDG_STATE_HOME \
		HOME="$home/user" TMPDIR="$home/user" "$@"
}

as_nobody() { (become "$@"); }

# with_rules COMMAND...: with the folder $rules in the place of sudo's, for that command alone
with_rules() {
	export home rules
	export -f become as_nobody
	unshare --mount bash -c 'mount --bind "$rules" /etc/sudoers.d && "$@"' - "$@"
}

give_right() { setcap cap_sys_nice+ep "$nice" || skip "this file system takes no capabilities"; }

# start PROGRAM...: as nobody, its pid in $pid and its start time in $start
start() {
	become "$@" >/dev/null 2>&1 3>&- &
	pid=$!
	for _ in $(seq 100); do
		[ "$(cat "/proc/$pid/comm")" = "${1##*/}" ] && break
		sleep 0.05
	done
	[ "$(cat "/proc/$pid/comm")" = "${1##*/}" ]
	start=$(awk '{ sub(/.*\) /, ""); print $20 }' "/proc/$pid/stat")
}

nice_of() { awk '{ sub(/.*\) /, ""); print $17 }' "/proc/$1/stat"; }

@test "without the right it changes nothing and says so" {
	start Xvfb :"$((RANDOM + 1000))" -nolisten tcp
	run as_nobody "$nice" "$pid" "$start" -10 "$pid"
	echo "$output"
	[ "$status" -eq 3 ]
	[ "$(nice_of "$pid")" -eq 0 ]
}

@test "with the right it renices the caller's own X server, every thread that is named" {
	give_right
	start Xvfb :"$((RANDOM + 1000))" -nolisten tcp
	run as_nobody "$nice" "$pid" "$start" -10 "$(cd "/proc/$pid/task" && echo * | tr ' ' ,)"
	echo "$output"
	[ "$status" -eq 0 ]
	for task in /proc/"$pid"/task/*; do [ "$(nice_of "$pid/task/${task##*/}")" -eq -10 ]; done
}

@test "it refuses another program of the caller, whatever it calls itself" {
	give_right
	cp "$(command -v sleep)" "$home/user/Xorg"
	start "$home/user/Xorg" 60
	run as_nobody "$nice" "$pid" "$start" -10 "$pid"
	echo "$output"
	[ "$status" -eq 3 ]
	[ "$(nice_of "$pid")" -eq 0 ]
}

@test "it refuses a thread of another process, and a process of another start time" {
	give_right
	start Xvfb :"$((RANDOM + 1000))" -nolisten tcp
	run as_nobody "$nice" "$pid" "$start" -10 "$BASHPID"
	[ "$status" -eq 2 ]
	[[ $output == *"no thread of that process"* ]]
	run as_nobody "$nice" "$pid" "$((start + 1))" -10 "$pid"
	[ "$status" -eq 2 ]
	[ "$(nice_of "$pid")" -eq 0 ]
}

@test "it starts nothing, and asks the environment in secure mode only" {
	give_right
	command -v strace >/dev/null || skip "needs strace"
	start Xvfb :"$((RANDOM + 1000))" -nolisten tcp
	# A leak checker starts a process at the end, and cannot work under strace.
	ASAN_OPTIONS=detect_leaks=0 strace -f -o "$home/trace" "$nice" "$pid" "$start" 0 "$pid" || true
	grep -q setpriority "$home/trace" || grep -q 'neither a display server' "$home/trace" ||
		grep -q write "$home/trace"
	[ -z "$(grep -E 'clone|fork|vfork' "$home/trace")" ]
	[ "$(grep -c execve "$home/trace")" -eq 1 ]
	! nm -D "$nice" | grep -wE 'getenv|system|popen|execv.*'
}

@test "an ordinary user with it measures in absolute mode, and the server goes back" {
	give_right
	run as_nobody "$home/bin/xcsbench" run a-four-xterm-flood --server=xvfb --quick --load=flood \
		--x-nice=0,-10 --sample=5s --max-foreign=100 --quiet
	echo "$output"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] # autogroups may be on here
	[[ $output == *"Mode               absolute"* ]]
	# floor, as jq 1.7 writes -10.0 where 1.6 writes -10.
	run jq -r '.trials[] | "\(.status) \(.server_nice_before | floor) \(.server_nice_after | floor)"' \
		"$home"/user/.local/share/xcsbench/runs/*/run.json
	echo "$output"
	[[ $output == *"ok -10 -10"* ]]
	run jq -r '.environment[] | select(.key == "rights.backend" or .key == "rights.server_nice") | .value' \
		"$home"/user/.local/share/xcsbench/runs/*/run.json
	[ "$output" = "xcsbench-nice
-20" ]
}

@test "a sudo rule gives the right for the user's own server and for no other" {
	command -v visudo >/dev/null || skip "needs sudo"
	[ -d /etc/sudoers.d ] || skip "needs /etc/sudoers.d"
	rules=$BATS_TEST_TMPDIR/sudoers.d
	mkdir "$rules"
	rule=$rules/xcsbench
	with_rules true || skip "needs a mount namespace"
	sed -e "s,@LIBEXEC@,$home/libexec/xcsbench," -e 's/^%xcsbench/nobody/' \
		"$BATS_TEST_DIRNAME/../../../docs/xcsbench-nice.sudoers.in" >"$rule"
	chmod 440 "$rule"
	visudo -cf "$rule"
	start Xvfb :"$((RANDOM + 1000))" -nolisten tcp
	run with_rules as_nobody sudo -n "$nice" "$pid" "$start" -10 "$pid"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(nice_of "$pid")" -eq -10 ]
	run env SUDO_UID=1 "$nice" "$pid" "$start" -5 "$pid"
	[ "$status" -eq 3 ]
	[ "$(nice_of "$pid")" -eq -10 ]
	run with_rules as_nobody "$home/bin/xcsbench" run a-four-xterm-flood --server=xvfb --dry-run
	echo "$output"
	[[ $output == *", absolute"* ]]
	run with_rules as_nobody "$home/bin/xcsbench" doctor --server=xvfb
	echo "$output"
	[[ $output == *"ok    rights      by sudo the server went to nice -20 and back"* ]]
}
