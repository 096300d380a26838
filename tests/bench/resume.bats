# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench run --resume: only what is missing is measured, and only where it belongs.

load runs

setup() {
	set_up_runs
	mkfifo "$BATS_TEST_TMPDIR/never"
	runner=
}

teardown() {
	end_runner
}

# begin_run: two measured trials, the second of which is still to come when this returns.
begin_run() {
	setsid "$XCS_BIN/xcsbench" run a-four-xterm-flood --server=xvfb --load=flood --x-nice=0 \
		--repetitions=2 --sample=5s --settle=1s --max-foreign=100 --output="$run_dir" \
		>"$log" 2>&1 3>&- &
	runner=$!
	until_true grep -q '\[3/3\]' "$log"
}

cut_short() { # SIGNAL
	begin_run
	kill "-$1" "$runner"
	wait "$runner" || true
	until_true no_journal
}

n_measured() {
	jq '[.trials[] | select(.kind == "measured" and .status == "ok")] | length' "$run_dir/run.json"
}

go_on() {
	run "$XCS_BIN/xcsbench" run --resume "$run_dir" --quiet
	echo "$output"
}

@test "after Ctrl-C the missing trial is measured and the run is complete" {
	cut_short INT
	[ "$(n_measured)" -eq 1 ]
	id=$(jq -r .id "$run_dir/run.json")
	kept=$(sha256sum "$run_dir/trials/001.xcs")
	go_on
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	[ "$(n_measured)" -eq 2 ]
	[ "$(jq -r '.status, .id' "$run_dir/run.json")" = "complete"$'\n'"$id" ]
	[ "$(jq '[.trials[] | select(.kind == "measured" and .status == "ok") | .block] | unique | length' \
		"$run_dir/run.json")" -eq 2 ]
	[ "$(sha256sum "$run_dir/trials/001.xcs")" = "$kept" ]
	[[ $output == *"Gone on with after trial"* ]]
	go_on
	[ "$status" -eq 2 ]
	[[ $output == *"complete; there is nothing to go on with"* ]]
}

@test "after SIGKILL of the runner as well" {
	cut_short KILL
	go_on
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	[ "$(n_measured)" -eq 2 ]
	[ "$(jq -r .status "$run_dir/run.json")" = complete ]
}

@test "another kernel, another plan and another version are refused, and nothing is changed" {
	cut_short INT
	cp "$run_dir/run.json" "$BATS_TEST_TMPDIR/kept"
	while read -r edit word; do
		jq "$edit" "$BATS_TEST_TMPDIR/kept" >"$run_dir/run.json"
		before=$(sha256sum "$run_dir/run.json")
		go_on
		[ "$status" -eq 3 ]
		[[ $output == *"$word"* ]]
		[ "$(sha256sum "$run_dir/run.json")" = "$before" ]
	done <<'END'
(.host[]|select(.key=="kernel.build_id")).value="00" kernel.build_id
.loads[0].columns=81 loads
.tool_version="0.0.1" 0.0.1
(.environment[]|select(.key=="sched.ext_enable_seq")).value="1" sched.ext_enable_seq
.status="void" void
END
}

@test "a run that is still under way is refused" {
	begin_run
	go_on
	[ "$status" -eq 2 ]
	[[ $output == *"still under way"* ]]
}

@test "a run that is none, and more words than --resume takes, are refused" {
	run "$XCS_BIN/xcsbench" run --resume no-such-run
	echo "$output"
	[ "$status" -eq 2 ]
	run "$XCS_BIN/xcsbench" run a-four-xterm-flood --resume x
	[ "$status" -eq 2 ]
	[[ $output == *"--resume takes no scenario"* ]]
	run "$XCS_BIN/xcsbench" run --resume x --quick
	[ "$status" -eq 2 ]
	run "$XCS_BIN/xcsbench" run
	[ "$status" -eq 2 ]
	[[ $output == *"SCENARIO is missing"* ]]
}
