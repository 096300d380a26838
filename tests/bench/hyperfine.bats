# SPDX-License-Identifier: GPL-2.0-or-later
# Commands timed by hyperfine: the real one on Xvfb, and what a run makes of one that is
# missing, too old, fails, leaves nothing or does not end.

setup() {
	xcsbench=$XCS_BIN/xcsbench
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	unset DISPLAY
	run_dir=$BATS_TEST_TMPDIR/run
	scenario=$BATS_TEST_TMPDIR/s.cfg
	bin=$BATS_TEST_TMPDIR/bin
	mkdir "$bin"
}

# scenario LOADS: one that times in Xvfb at nice 0, once each.
scenario() {
	printf 'title = "T"; x_nice = [ 0 ]; repetitions = 1; deadline_s = 2.0;\nloads = ( %s );\n' \
		"$1" >"$scenario"
}

# bench ARG...: does the run; the last line of its words is in $said, its status in $rc.
bench() {
	rc=0
	PATH=${path:-$PATH} "$xcsbench" run "$scenario" --server=xvfb --max-foreign=100 \
		--output="$run_dir" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || rc=$?
	said=$(tail -n 1 "$BATS_TEST_TMPDIR/err")
	echo "exit $rc: $said"
}

need() {
	for p in "$@"; do
		command -v "$p" >/dev/null || skip "$p is not installed"
	done
}

# fake COMMANDS: a hyperfine that does this with $json, the file that it is to write.
fake() {
	cat >"$bin/hyperfine" <<-END
		#!/bin/sh
		[ "\$1" = --version ] && { echo 'hyperfine 1.15.0'; exit 0; }
		while [ "\$1" != --export-json ]; do shift; done
		json=\$2
		$1
	END
	chmod +x "$bin/hyperfine"
	PATH=$bin:$PATH
}

pipe='{ id = "seq"; kind = "pipe"; timer = "hyperfine"; command = "seq 1 500"; clients = 1; }'

@test "a command is timed in a terminal and into a pipe" {
	need hyperfine Xvfb xterm
	scenario "{ id = \"term\"; kind = \"xterm\"; timer = \"hyperfine\"; command = \"seq 1 500\";
		clients = 1; runs = 2; }, ${pipe/\"seq\"/\"pipe\"}"
	bench
	[ "$rc" -eq 0 ]
	jq -e '[.trials[] | select(.status == "ok") | .timings[] | select(.role != "hyperfine")] |
		length == 5 and all(.real_ns > 0 and .user_ns != null and .sys_ns != null and
		.n_lines == 500 and .exit_status == 0 and .nice == 0)' "$run_dir/run.json"
	jq -e '.trials | length == 2 and all(.kind == "measured")' "$run_dir/run.json"
	# The whole call, warm-ups too, took more than the runs together.
	jq -e 'all(.trials[]; (([.timings[] | select(.role != "hyperfine").real_ns] | add) as $runs |
		.timings[] | select(.role == "hyperfine").real_ns > $runs))' "$run_dir/run.json"
	for file in $(jq -r '.trials[].hyperfine_file' "$run_dir/run.json"); do
		jq -e '.results[0].times | length >= 2' "$run_dir/$file"
	done
	[ "$(find "$run_dir" -name '*.log' | wc -l)" -eq 0 ]
}

@test "the scroll experiment times seq and find, historic and scaled" {
	need hyperfine Xvfb xterm
	scenario=d-xterm-scroll
	cd "$BATS_TEST_TMPDIR"
	run_dir=relative # hyperfine works in the tree's folder, and writes to the record's all the same
	bench --quick --x-nice=0 --tree-entries=30 --load=seq --load=seq-pipe --load=start-up \
		--load=find --load=find-cpu
	[ "$rc" -eq 0 ]
	jq -e '[.loads[].label] == ["xterm -e seq 1 5000", "seq 1 5000 | cat",
		"xterm -e sh -c \"find DIR DIR\"", "xterm -e true", "find DIR DIR (CPU)"]' "$run_dir/run.json"
	# Measured trials in the order of the loads; the tree twice is what find prints.
	jq -e '[.trials[] | select(.kind == "measured") | {cell, n: .timings[0].n_lines}] |
		sort_by(.cell) | map(.n) == [5000, 5000, 60, 0, 60]' "$run_dir/run.json"
	grep -q 'xterm -e true' "$BATS_TEST_TMPDIR/out"
}

@test "a scenario that needs a hyperfine that is missing is refused" {
	need Xvfb
	for p in sh seq cat Xvfb; do
		ln -s "$(command -v $p)" "$bin/$p"
	done
	scenario "$pipe"
	path=$bin bench
	[ "$rc" -eq 3 ]
	[[ $said == *"hyperfine, which times the command, is not installed (package hyperfine)" ]]
	[ ! -e "$run_dir" ]
}

@test "a hyperfine that is too old is refused" {
	fake ''
	sed -i 's/1.15.0/1.12.0/' "$bin/hyperfine"
	scenario "$pipe"
	bench
	[ "$rc" -eq 3 ]
	[[ $said == *"hyperfine 1.12.0 is too old"*"1.14 or later"* ]]
}

@test "without hyperfine the other loads are measured" {
	need Xvfb
	for p in sh seq cat Xvfb; do
		ln -s "$(command -v $p)" "$bin/$p"
	done
	scenario "$pipe, { id = \"flood\"; kind = \"flood\"; clients = 1; columns = 20; rows = 2; }"
	path=$bin bench --sample=5s
	[ "$rc" -eq 3 ]
	[[ $said == *"no trial of seq"* ]]
	jq -e '[.trials[] | select(.kind == "measured").status] | sort == ["failed", "ok"]' \
		"$run_dir/run.json"
	jq -e 'any(.trials[]; .status == "failed" and (.reason | contains("not installed")))' \
		"$run_dir/run.json"
}

@test "a failing and an empty result fail their cell only" {
	need Xvfb
	fake 'case $* in
	*"seq 1 500") : >$json; echo "Error: Command terminated with non-zero exit code: 7. Use -i." >&2; exit 1 ;;
	*"seq 1 600") : >$json ;;
	*) echo "{\"results\":[{\"command\":\"c\",\"mean\":0.5,\"user\":0.1,\"system\":0.1,\"times\":[0.5]}]}" >$json ;;
	esac'
	scenario "$pipe, $(sed 's/"seq"/"void"/; s/500/600/' <<<"$pipe"), $(sed 's/"seq"/"good"/; s/500/700/' <<<"$pipe")"
	bench
	[ "$rc" -eq 3 ]
	jq -c '.trials[] | [.status, .reason]' "$run_dir/run.json"
	jq -e '[.trials[].status] | sort == ["failed", "failed", "ok"]' "$run_dir/run.json"
	jq -e 'any(.trials[]; .reason == "no results: hyperfine exited with status 1 while it timed '\''seq'\'': Error: Command terminated with non-zero exit code: 7")' "$run_dir/run.json"
	jq -e 'any(.trials[]; .reason // "" | contains("no results: the timed command failed (void)"))' "$run_dir/run.json"
	jq -e '[.trials[] | select(.status == "failed").hyperfine_file] == [null, null]' "$run_dir/run.json"
	[ "$(find "$run_dir/hyperfine" -size 0 -name '*.json' | wc -l)" -eq 0 ]
}

@test "a command that fails is found before the trials" {
	need hyperfine Xvfb
	scenario "${pipe/seq 1 500/ls /nowhere}"
	bench
	[ "$rc" -eq 3 ]
	jq -c '.trials[0] | [.status, .reason]' "$run_dir/run.json"
	jq -e '.trials[0] | .status == "failed" and (.reason |
		startswith("'\''seq'\'' exited with status 2: ls: cannot access"))' "$run_dir/run.json"
	[ ! -e "$run_dir/hyperfine/000.json" ]
}

@test "a command without an end is stopped with all that it started" {
	need Xvfb
	fake 'sleep 4242 & sleep 4343'
	scenario "$pipe"
	bench
	[ "$rc" -eq 3 ]
	jq -e '.trials | length == 1' "$run_dir/run.json"
	jq -e '.trials[0] | .status == "failed" and
		.reason == "'\''seq'\'' did not end within 2 s and was stopped"' "$run_dir/run.json"
	[ -z "$(pgrep -f '^sleep 4(242|343)$')" ]
}

@test "a killed runner leaves nothing of hyperfine" {
	need Xvfb
	fake 'echo $$ >'"$BATS_TEST_TMPDIR"'/pid; sleep 4444 & sleep 4545'
	scenario "$pipe"
	sed -i 's/deadline_s = 2.0/deadline_s = 60.0/' "$scenario"
	"$xcsbench" run "$scenario" --server=xvfb --max-foreign=100 --output="$run_dir" \
		>/dev/null 2>&1 3>&- &
	runner=$!
	until [ -s "$BATS_TEST_TMPDIR/pid" ]; do kill -0 $runner; done
	kill -KILL $runner
	wait $runner && return 1
	end=$((SECONDS + 20))
	while pgrep -f '^sleep 4(444|545)$'; do [ $SECONDS -lt $end ]; done
}
