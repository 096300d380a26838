# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever process of the suite dies, and whenever: nothing stays changed and nothing stays
# behind. The seed is printed; XCS_KILL_SEED repeats it.

load runs

N_ROUNDS=20

setup() {
	switches=yes
	set_up_runs
	mkfifo "$BATS_TEST_TMPDIR/never"
	runner=
}

teardown() {
	end_runner
}

# wait_ms N: or less, when the runner ends before.
wait_ms() {
	local i
	for ((i = 0; i < $1 / 50; i++)); do
		kill -0 "$runner" 2>/dev/null || return 0
		read -rt 0.05 <>"$BATS_TEST_TMPDIR/never" || true
	done
}

# descendants PID: itself, its children, theirs, and so on.
descendants() {
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do descendants "$child"; done
}

# begin_run: without waiting for anything.
begin_run() {
	local -a extra=()
	may_switch && extra+=(--autogroup=off --profile=controlled)
	run_dir=$BATS_TEST_TMPDIR/run$1
	setsid "$XCS_BIN/xcsbench" run a-four-xterm-flood --server=xvfb --load="$2" --x-nice=-10 \
		--quick --max-foreign=100 --output="$run_dir" "${extra[@]}" >"$log" 2>&1 3>&- &
	runner=$!
}

# Some live only for a moment: one is drawn until it is still there to be killed.
kill_one() {
	local -a all
	local victim name
	for _ in {1..20}; do
		mapfile -t all < <(descendants "$runner")
		victim=${all[RANDOM % ${#all[@]}]}
		name=$(cat "/proc/$victim/comm" 2>/dev/null) && kill -KILL "$victim" 2>/dev/null && break
	done
	echo "# round $1: SIGKILL of ${name:-nobody}, one of ${#all[@]}" >&3
}

no_scratch() {
	[ -z "$(find "$BATS_TEST_TMPDIR" -maxdepth 1 -name 'xcsbench-*')" ]
}

# A server that was killed leaves its lock, and the display number is lost.
no_dead_lock() {
	local lock
	for lock in /tmp/.X*-lock; do
		[ -e "$lock" ] || continue
		kill -0 "$(tr -d ' ' <"$lock")" 2>/dev/null || {
			echo "left: $lock"
			return 1
		}
	done
}

nobody_of_the_suite() {
	! grep -lsa -- "TMPDIR=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ | cut -d/ -f3 |
		xargs -I{} cat /proc/{}/comm 2>/dev/null | grep -qE '^(xcs|xclient|Xvfb|xterm)'
}

@test "$N_ROUNDS random SIGKILLs in a row leave nothing changed" {
	seed=${XCS_KILL_SEED:-$RANDOM}
	RANDOM=$seed
	echo "# seed $seed" >&3
	for ((round = 1; round <= N_ROUNDS; round++)); do
		begin_run "$round" "$([ $((RANDOM % 2)) -eq 0 ] && echo flood || echo xterm)"
		wait_ms $((RANDOM % 3500))
		kill_one "$round"
		wait_ms 500
		kill -INT "$runner" 2>/dev/null || true
		wait "$runner" || true
		until_true nobody_of_the_suite
		"$XCS_BIN/xcsbench" restore >"$BATS_TEST_TMPDIR/restored" || {
			cat "$BATS_TEST_TMPDIR/restored"
			return 1
		}
		until_true no_scratch
		until_true no_journal
		settings_are_back
		no_dead_lock
	done
}
