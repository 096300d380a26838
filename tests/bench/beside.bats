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
	jq -e '[.trials[] | select(.status == "ok") | .lines_written > 4 and .windows[0].drew] |
		length > 0 and all' \
		"$run_dir/run.json" || {
		jq -c '.trials[]' "$run_dir/run.json"
		return 1
	}
	[[ $output == *"idle"*"paced"* ]] || [[ $output == *"paced"*"idle"* ]]
}

needs_build() {
	command -v jq >/dev/null || skip "jq is not installed"
	command -v xterm >/dev/null || skip "xterm is not installed"
	command -v cc >/dev/null || skip "there is no C compiler (package gcc)"
}

is_at_work() {
	grep -qsa -- "$scratch/build/file" /proc/[0-9]*/cmdline
}

@test "a build and typing beside scrolling: counted, typed and accounted for" {
	needs_build
	run "$XCS_BIN/xcsbench" run compile --server=xvfb --x-nice=0 --load=build --quick --quiet \
		--one-cpu --sample=5s --max-foreign=100 --output="$run_dir"
	echo "$output"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	jq -e '.loads[0].n_compile_jobs == 2 and .loads[0].keys_per_s == 10 and
		([.trials[] | select(.kind == "measured") | .status] | index("ok")) and
		([.trials[].windows[].role] | index("typed"))' "$run_dir/run.json" || {
		jq -c '.trials[]' "$run_dir/run.json"
		return 1
	}
	"$XCS_BIN/xcsbench" report "$run_dir" --json >"$BATS_TEST_TMPDIR/report.json"
	jq -e '.sections.beside.tables.beside.rows[0] |
		.["build.files"].median > 0 and .["build.cpu"].median > 5 and
		.["keys.sent"].median > 8 and .keys.median > 8' "$BATS_TEST_TMPDIR/report.json"
	jq -e '[.sections.cpu_accounting.tables.accounting.rows[] | select(.of == "build") |
		.exact_s > 0.3] == [true]' "$BATS_TEST_TMPDIR/report.json" || {
		jq -c .sections.cpu_accounting "$BATS_TEST_TMPDIR/report.json"
		return 1
	}
	[ -z "$(ls "$BATS_TEST_TMPDIR" | grep xcsbench-)" ]
}

@test "SIGKILL of the runner leaves no compiler and no typist" {
	needs_build
	scenario=compile start_run build
	until_true is_at_work
	[ -n "$(pgrep -P "$runner" -f "xclient-stress type")" ]
	kill -KILL "$runner"
	end_run
	nothing_is_left
}

@test "a machine without a compiler fails the cells with a build, and no others" {
	needs_build
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s /usr/bin/* "$BATS_TEST_TMPDIR/bin/"
	rm -f "$BATS_TEST_TMPDIR/bin/cc"
	local rc=0
	PATH=$BATS_TEST_TMPDIR/bin "$XCS_BIN/xcsbench" run compile --server=xvfb --x-nice=0 --quick \
		--quiet --sample=5s --max-foreign=100 --output="$run_dir" >"$log" 2>&1 || rc=$?
	cat "$log"
	[ "$rc" -eq 3 ]
	grep -q "there is no C compiler: cc is not in PATH (package gcc)" "$log"
	jq -e '.cells as $c | .loads as $l | [.trials[] | [$l[$c[.cell].load].id, .status]] |
		(map(select(.[0] == "alone")) | any(.[1] == "ok") and all(.[1] != "failed")) and
		(map(select(.[0] == "build")) | length > 0 and all(.[1] == "failed"))' "$run_dir/run.json"
}
