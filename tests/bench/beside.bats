# SPDX-License-Identifier: GPL-2.0-or-later
# Busy loops beside a load: planned, watched, reported, and gone when anything dies.

load runs

setup() {
	set_up_runs
}

teardown() {
	end_runner
}

hogs_are_there() { # N
	[ "$(pgrep -c -P "$runner" -x xcs-spin)" -eq "$1" ]
}

hogs_are_gone() {
	local pid
	for pid in $hogs; do
		[ ! -e "/proc/$pid" ] || return 1
	done
}

start_run_with_hogs() {
	start_run flood --hogs=3 --one-cpu
	until_true hogs_are_there 3
	hogs=$(pgrep -P "$runner" -x xcs-spin)
}

@test "the plan has the busy loops as a dimension" {
	run "$XCS_BIN/xcsbench" run a-four-xterm-flood --dry-run --hogs=0,2 --x-nice=0 --load=flood -r1
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(grep -c "2 hogs" <<<"$output")" -eq 2 ]
	[ "$(grep -c "block" <<<"$output")" -eq 4 ]
}

@test "too many busy loops are refused" {
	run "$XCS_BIN/xcsbench" run a-four-xterm-flood --dry-run --hogs=257
	[ "$status" -eq 2 ]
	[[ $output == *"from 0 to 256"* ]]
}

@test "busy loops run bound to their CPUs in sessions of their own, and are reported" {
	command -v jq >/dev/null || skip "jq is not installed"
	start_run_with_hogs
	local pid cpu sessions
	cpu=$(jq -r .plan.load_cpus "$run_dir/run.json")
	for pid in $hogs; do
		[ "$(sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$pid/status")" = "$cpu" ]
	done
	# shellcheck disable=SC2086
	sessions=$(ps -o sid= $hogs | sort -u | wc -l)
	[ "$sessions" -eq 3 ]
	end_run
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	hogs_are_gone
	nothing_is_left
	jq -e '[.cells[].n_hogs] == [3]' "$run_dir/run.json"
	"$XCS_BIN/xcsbench" report "$run_dir" --json >"$BATS_TEST_TMPDIR/report.json"
	jq -e '.sections.hogs.tables.shares.rows[0] |
		.hogs == 3 and .["hog.cpu"].median > 1 and
		.["hog.cpu_min"].median <= .["hog.cpu_max"].median and
		.["hog.expected"].median > 0' "$BATS_TEST_TMPDIR/report.json" || {
		jq .sections.hogs "$BATS_TEST_TMPDIR/report.json"
		return 1
	}
}

@test "SIGKILL of the runner leaves no busy loop" {
	start_run_with_hogs
	kill -KILL "$runner"
	end_run
	until_true hogs_are_gone
	nothing_is_left
}

@test "SIGKILL of a busy loop: the trial is void and done again" {
	start_run_with_hogs
	kill -KILL "${hogs%%[[:space:]]*}"
	end_run
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	grep -q "again" "$log"
	grep -q "hog[0-2] was killed by signal 9" "$run_dir/run.json"
	hogs_are_gone
	nothing_is_left
}

@test "a near-idle desktop settles, is seen to draw, and says that it wants since-boot averages" {
	command -v jq >/dev/null || skip "jq is not installed"
	command -v xterm >/dev/null || skip "xterm is not installed"
	run "$XCS_BIN/xcsbench" run b-idle-desktop --server=xvfb --x-nice=0 --quick --quiet \
		--max-foreign=100 --output="$run_dir"
	echo "$output"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	jq -e '.plan.since_boot and .loads[0].lines_per_s == 4' "$run_dir/run.json"
	jq -e '[.trials[] | .status == "ok" and .lines_written > 4 and .windows[0].drew] | all' \
		"$run_dir/run.json" || {
		jq -c '.trials[]' "$run_dir/run.json"
		return 1
	}
	[[ $output == *"idle"*"paced"* ]] || [[ $output == *"paced"*"idle"* ]]
}
