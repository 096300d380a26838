# SPDX-License-Identifier: GPL-2.0-or-later
# Runs on Xvfb under way, and what must be left of them: nothing but the record.
# shellcheck shell=bash

# A file whose tests run alone sets switches=yes before set_up_runs: its runs switch the
# autogroups. All others leave them as they are, for they go on beside each other.
set_up_runs() {
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	export TMPDIR=$BATS_TEST_TMPDIR
	unset DISPLAY
	run_dir=$BATS_TEST_TMPDIR/run
	log=$BATS_TEST_TMPDIR/log
	autogroup=/proc/sys/kernel/sched_autogroup_enabled
	autogroup_before=$(cat "$autogroup" 2>/dev/null || echo none)
	watchdogs_before=$(watchdogs)
	command -v Xvfb >/dev/null || skip "Xvfb is not installed"
}

# until_true CONDITION...: looks again and again, at most 40 s.
until_true() {
	local i
	for ((i = 0; i < 800; i++)); do
		"$@" && return 0
		read -rt 0.05 <>"$BATS_TEST_TMPDIR/never" || true
	done
	echo "never became true: $*"
	cat "$log"
	return 1
}

watchdogs() { # those that a controlled run switches off
	cat /proc/sys/kernel/{nmi,soft}_watchdog 2>/dev/null || true
}

child_of() { # PARENT NAME
	pgrep -P "$1" -x "$2" | head -1
}

has_child() {
	[ -n "$(child_of "$1" "$2")" ]
}

# May the autogroups be switched, and is no other run doing it?
may_switch() {
	[ "${switches:-no}" = yes ] || return 1
	[ "$(id -u)" -eq 0 ] && [ "$autogroup_before" != none ] || return 1
	mkdir -p /var/lib/xcsbench/undo
	flock -n /var/lib/xcsbench/undo true
}

# start_run [LOAD [OPTION...]]: starts a run of one measured trial and returns once its sampler is
# at work.
start_run() {
	local load=${1:-flood}
	shift || true
	local -a extra=("$@")
	may_switch && extra+=(--autogroup=off --profile=controlled) || echo "# the autogroups stay as they are"
	mkfifo "$BATS_TEST_TMPDIR/never"
	setsid "$XCS_BIN/xcsbench" run "${scenario:-a-four-xterm-flood}" --server=xvfb --load="$load" \
		--x-nice=0 --quick --max-foreign=100 --output="$run_dir" "${extra[@]}" >"$log" 2>&1 3>&- &
	runner=$!
	until_true grep -q '\[2/2\]' "$log"
	until_true has_child "$runner" xcs-sample
	until_true has_child "$runner" xcs-guard
	guard=$(child_of "$runner" xcs-guard)
	server=$(child_of "$runner" Xvfb)
	scratch=$(echo "$BATS_TEST_TMPDIR"/xcsbench-*)
	[ -d "$scratch" ]
}

end_run() { # sets status
	status=0
	wait "$runner" || status=$?
	echo "exit $status"
	cat "$log"
}

nobody_mentions_scratch() {
	! grep -qsa -- "$scratch" /proc/[0-9]*/cmdline
}

is_gone() { # PATH
	[ ! -e "$1" ]
}

# Other runs of root have their journals in the same folder; ours name our scratch folder.
no_journal() {
	local dir=$XDG_STATE_HOME/xcsbench/undo
	[ "$(id -u)" -eq 0 ] && dir=/var/lib/xcsbench/undo
	if [ "${switches:-no}" = yes ]; then
		[ -z "$(ls -A "$dir" 2>/dev/null)" ]
	else
		[ -z "$(grep -rlsa -- "$BATS_TEST_TMPDIR" "$dir")" ]
	fi
}

settings_are_back() {
	[ "$(cat "$autogroup" 2>/dev/null || echo none)" = "$autogroup_before" ] &&
		[ "$(watchdogs)" = "$watchdogs_before" ]
}

nothing_is_left() {
	until_true nobody_mentions_scratch
	until_true is_gone "$scratch"
	until_true settings_are_back
	until_true no_journal
}

end_runner() {
	[ -z "${runner:-}" ] || kill -KILL "$runner" 2>/dev/null || true
}
