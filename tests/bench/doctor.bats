# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench doctor on this machine: what it finds, and that it leaves nothing behind.

setup() {
	xcsbench=$XCS_BIN/xcsbench
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	export TMPDIR=$BATS_TEST_TMPDIR
	unset DISPLAY
}

doctor() {
	rc=0
	"$xcsbench" doctor "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || rc=$?
}

state_of() { jq -r --arg id "$1" '.findings[] | select(.id == $id) | .state' "$BATS_TEST_TMPDIR/out"; }

@test "each finding has a state, a sentence, a source and a remedy where one is needed" {
	doctor --server=xvfb --json
	cat "$BATS_TEST_TMPDIR/err"
	[ "$rc" -eq 0 ] || [ "$rc" -eq 3 ]
	jq -e '.schema == "xcsbench.doctor/1" and (.findings | length) > 20' "$BATS_TEST_TMPDIR/out"
	jq -e 'all(.findings[]; (.what | length) > 0 and (.source | length) > 0 and
		(.state | IN("ok", "warn", "fail", "n/a")) and
		(.state == "ok" or .state == "n/a" or (.remedy | length) > 0))' "$BATS_TEST_TMPDIR/out"
	[ "$(state_of server)" = ok ]
	[ "$(state_of saver)" = ok ]
}

@test "the exit status is 3 exactly when something failed" {
	doctor --server=xvfb --json
	failed=$(jq '[.findings[] | select(.state == "fail")] | length' "$BATS_TEST_TMPDIR/out")
	echo "exit $rc, failed $failed"
	[ "$rc" -eq "$([ "$failed" -gt 0 ] && echo 3 || echo 0)" ]
}

@test "rights are tried: root may give nice -20 and renice its own server" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	doctor --server=xvfb --json
	[ "$(state_of rights)" = ok ]
	grep -q 'by root the server went to nice -20 and back' "$BATS_TEST_TMPDIR/out"
}

as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }

@test "an ordinary user hears that rights are missing" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to become another user"
	as_nobody test -x "$xcsbench" || skip "an ordinary user may not enter the build tree"
	chmod 711 "$BATS_TEST_TMPDIR"
	home=$(mktemp -d)
	chown nobody "$home"
	run as_nobody env -u XDG_DATA_HOME -u XDG_STATE_HOME HOME="$home" TMPDIR="$home" \
		"$xcsbench" doctor --server=xvfb
	rm -rf "$home"
	echo "$output"
	[[ $output == *"warn  rights"*"nice 0 is the lowest"* ]]
}

@test "with autogroups off renice is effective, and the switch goes back" {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	[ -w /proc/sys/kernel/sched_autogroup_enabled ] || skip "no autogroups in this kernel"
	before=$(cat /proc/sys/kernel/sched_autogroup_enabled)
	doctor --server=xvfb --autogroup=off --json
	[ "$(state_of renice)" = ok ]
	[ "$(cat /proc/sys/kernel/sched_autogroup_enabled)" = "$before" ]
}

@test "without a display that answers the rest is checked all the same" {
	DISPLAY=:4711 doctor --server=session --json
	cat "$BATS_TEST_TMPDIR/err"
	[ "$rc" -eq 3 ]
	[ "$(state_of server)" = fail ]
	[ "$(state_of disk)" != fail ]
	grep -q ':4711' "$BATS_TEST_TMPDIR/err"
}

@test "nothing is left: no run, no journal, no scratch folder" {
	doctor --server=xvfb
	[ ! -e "$BATS_TEST_TMPDIR/data/xcsbench/runs" ]
	[ -z "$(find "$BATS_TEST_TMPDIR" -name 'xcsbench-*')" ]
	[ -z "$(find "$BATS_TEST_TMPDIR" /var/lib/xcsbench/undo -name '*.journal' 2>/dev/null)" ]
}

@test "text fits 80 columns but for names that cannot be broken" {
	doctor --server=xvfb
	! grep -vE '^ {18}[^ ]+$' "$BATS_TEST_TMPDIR/out" | grep -E '.{79,}'
}
