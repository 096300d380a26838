# SPDX-License-Identifier: GPL-2.0-or-later
# What is left when something dies in the middle of a trial: nothing but the record.

load runs

setup() {
	switches=yes
	set_up_runs
}

teardown() {
	end_runner
}

@test "a whole run on Xvfb is complete and leaves nothing" {
	start_run
	end_run
	[ "$status" -eq 0 ]
	nothing_is_left
	grep -q '"status": *"complete"' "$run_dir/run.json"
	[ -s "$run_dir/trials/001.xcs" ]
	[ "$(stat -c %s "$run_dir/trials/001.xcs")" -gt 1000 ]
}

@test "SIGKILL of the runner: the guard ends server and load and puts everything back" {
	start_run
	kill -KILL "$runner"
	end_run
	[ "$status" -eq 137 ]
	nothing_is_left
	until_true is_gone "/proc/$server"
	[ -s "$run_dir/run.json" ]
}

@test "SIGKILL of the guard: the runner notices, stops and restores from the journal" {
	start_run
	kill -KILL "$guard"
	end_run
	[ "$status" -eq 2 ]
	grep -q "guard died" "$log"
	nothing_is_left
	grep -q '"status": *"partial"' "$run_dir/run.json"
}

@test "SIGKILL of both: xcsbench restore puts everything back" {
	start_run
	kill -STOP "$guard"
	kill -KILL "$runner"
	kill -KILL "$guard"
	end_run
	until_true is_gone "/proc/$guard"
	run "$XCS_BIN/xcsbench" restore
	echo "$output"
	[ "$status" -eq 0 ]
	nothing_is_left
}

@test "SIGKILL of the X server: one sentence, a partial record, nothing left" {
	start_run
	kill -KILL "$server"
	end_run
	[ "$status" -eq 2 ]
	grep -q "the X server died" "$log"
	nothing_is_left
	grep -q '"status": *"partial"' "$run_dir/run.json"
}

@test "SIGKILL of a client: the trial is void and done again" {
	start_run
	kill -KILL "$(child_of "$runner" xclient-stress)"
	end_run
	[ "$status" -eq 0 ]
	grep -q "again" "$log"
	grep -q "was killed by signal 9" "$run_dir/run.json"
	nothing_is_left
}

@test "SIGKILL of the one who looks at the windows: the trial fails and is done again" {
	start_run
	kill -KILL "$(pgrep -P "$runner" -f "xclient-stress windows" | head -1)"
	end_run
	[ "$status" -eq 0 ]
	grep -q "again" "$log"
	nothing_is_left
}

@test "closed standard descriptors and a file-size limit do no harm" {
	run bash -c 'exec "$1" run a-four-xterm-flood --server=xvfb --load=flood --x-nice=0 --quick \
		--max-foreign=100 --output="$2" <&- >&-' _ "$XCS_BIN/xcsbench" "$run_dir"
	echo "$output"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	grep -q '"status": *"complete"' "$run_dir/run.json"
	run bash -c 'ulimit -f 0; exec "$1" run a-four-xterm-flood --server=xvfb --quiet \
		--output="$2" 2>&1' _ "$XCS_BIN/xcsbench" "$run_dir-2"
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"File too large"* ]]
}

@test "Ctrl-C: exit 130, a partial record, nothing left" {
	start_run
	kill -INT "$runner"
	end_run
	[ "$status" -eq 130 ]
	grep -q "interrupted" "$log"
	nothing_is_left
	grep -q '"status": *"partial"' "$run_dir/run.json"
}

@test "a full disk: one sentence, what was saved before is whole" {
	[ "$(id -u)" -eq 0 ] || skip "mounting a small file system needs root"
	mkdir "$BATS_TEST_TMPDIR/small"
	mount -t tmpfs -o size=1m tmpfs "$BATS_TEST_TMPDIR/small" 2>/dev/null ||
		skip "mounting is not allowed here"
	run_dir=$BATS_TEST_TMPDIR/small/run
	start_run
	dd if=/dev/zero of="$BATS_TEST_TMPDIR/small/fill" bs=1k 2>/dev/null || true
	end_run
	cp -r "$run_dir" "$BATS_TEST_TMPDIR/saved"
	umount "$BATS_TEST_TMPDIR/small"
	[ "$status" -eq 2 ]
	grep -q "No space left on device" "$log"
	grep -q '"status": *"partial"' "$BATS_TEST_TMPDIR/saved/run.json"
	grep -q '"status_reason": *".*No space left' "$BATS_TEST_TMPDIR/saved/run.json"
	python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$BATS_TEST_TMPDIR/saved/run.json"
	run_dir=$BATS_TEST_TMPDIR/saved
	nothing_is_left
}
