# SPDX-License-Identifier: GPL-2.0-or-later
# Timed commands: a whole run, every way in which a command can fail, and what is left.

load runs

setup() {
	set_up_runs
	scenario=$BATS_TEST_TMPDIR/s.cfg
}

teardown() {
	end_runner
	[ -z "${mounted:-}" ] || umount "$mounted"
}

# write_scenario COMMAND [EXTRA]: one load of our own clients, and one that is well.
write_scenario() {
	cat >"$scenario" <<-END
		title = "T"; x_nice = [ 0 ]; repetitions = 2; ${2:-}
		tree = { kind = "flat"; entries = 300; name_bytes = 60; };
		loads = (
			{ id = "bad"; kind = "flood"; command = "$1"; clients = 2; },
			{ id = "good"; kind = "flood"; command = "ls -l ."; clients = 1; } );
	END
}

run_scenario() {
	status=0
	"$XCS_BIN/xcsbench" run "$scenario" --server=xvfb --quiet --max-foreign=100 \
		--output="$run_dir" "$@" >"$log" 2>&1 || status=$?
	echo "exit $status"
	tail -5 "$log"
}

# What the record says, by a Python expression over r (the run).
record() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$run_dir/run.json" "$1"
}

no_scratch() {
	! compgen -G "$BATS_TEST_TMPDIR/xcsbench-*" >/dev/null
}

@test "c-ls-10000, small: both loads are timed to the last line drawn" {
	command -v xterm >/dev/null || skip "xterm is not installed"
	scenario=c-ls-10000
	run_scenario --quick --x-nice=0 --tree-entries=500
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] # renice is not asked for
	[ "$(record 'r["status"]')" = complete ]
	[ "$(record '(r["tree"]["n_entries"], r["tree"]["name_bytes"], r["tree"]["cached"])')" = \
		"(501, 247, False)" ]
	[ "$(record 'sorted({l["timer"] for l in r["loads"]})')" = "['once']" ]
	[ "$(record 'all("LANG=C LC_ALL=C" in " ".join(l["settings"]) for l in r["loads"])')" = True ]
	# Three clients each, their nice levels, 501 lines; and no time before another's.
	[ "$(record '{tuple(int(t["nice"]) for t in x["timings"]) for x in r["trials"]}')" = \
		"{(-20, 0, 19)}" ] || [ "$(id -u)" -ne 0 ]
	[ "$(record '{int(t["n_lines"]) for x in r["trials"] for t in x["timings"]}')" = "{501}" ]
	[ "$(record 'all(0 < t["real_ns"] <= t["drained_ns"] < t["drawn_ns"] and
		t["user_ns"] + t["sys_ns"] > 0 and t["exit_status"] == 0
		for x in r["trials"] for t in x["timings"])')" = True ]
	no_scratch
}

@test "a command that fails costs its cell, not the run" {
	write_scenario "exit 3"
	run_scenario
	[ "$status" -eq 3 ]
	[ "$(record 'r["status"]')" = partial ]
	[ "$(record 'r["loads"][1]["id"]')" = good ]
	# Twice and no more, and the sentence names load, client, command and reason.
	[ "$(record 'len([t for t in r["trials"] if t["cell"] == 0])')" = 2 ]
	[ "$(record '{t["status"] for t in r["trials"] if t["cell"] == 0}')" = "{'failed'}" ]
	record 'r["trials"][0]["reason"], r["trials"][1]["reason"]' |
		grep -F "load 'bad': the command of client0, 'exit 3', exited with status 3"
	[ "$(record 'len([t for t in r["trials"] if t["cell"] == 1 and t["status"] == "ok"])')" = 3 ]
	grep -q "exited with status 3" "$log"
	no_scratch
	# The report has the hole, and the cell that is well.
	run "$XCS_BIN/xcsbench" report "$run_dir"
	[[ ${output//$'\n'/ } == *"exited with status 3"* ]]
	[[ $output == *good* ]]
}

@test "a command that is not there, or is no program" {
	write_scenario "no-such-program-at-all"
	run_scenario --load=bad
	[ "$status" -eq 3 ]
	grep -q "was not found (status 127)" "$log"
	rm -r "$run_dir"
	write_scenario "/dev/null"
	run_scenario --load=bad
	[ "$status" -eq 3 ]
	grep -q "could not be executed (status 126)" "$log"
}

@test "a command that never ends is stopped at the deadline" {
	write_scenario "while :; do echo a; done"
	run_scenario --deadline=2500ms
	[ "$status" -eq 3 ]
	[ "$(record 'len([t for t in r["trials"] if t["cell"] == 0])')" = 2 ]
	grep -q "had not ended after 2.5 s (--deadline)" "$log"
	[ "$(record 'len([t for t in r["trials"] if t["cell"] == 1 and t["status"] == "ok"])')" = 3 ]
	no_scratch
}

@test "a terminal that closes before its command has ended" {
	# The command ends its own terminal, the parent of its feeder.
	# shellcheck disable=SC2016 # a shell on the terminal expands it
	write_scenario 'test -t 1 && kill $(ps -o ppid= -p $(ps -o ppid= -p $$)); read a' \
		"deadline_s = 20;"
	run_scenario
	[ "$status" -eq 3 ]
	record '[t["reason"] for t in r["trials"] if t["cell"] == 0]'
	grep -q "load 'bad': client[01] .* before its command, .*, had ended" "$log"
	[ "$(record 'len([t for t in r["trials"] if t["cell"] == 1 and t["status"] == "ok"])')" = 3 ]
	no_scratch
}

@test "a command that writes nothing needs to draw nothing" {
	write_scenario "true"
	run_scenario --load=bad
	[ "$status" -eq 0 ]
	[ "$(record '{int(t["n_lines"]) for x in r["trials"] for t in x["timings"]}')" = "{0}" ]
}

@test "a scaled command grows until it takes its time" {
	write_scenario "sh -c 'awk \\\"BEGIN { while (n < {count}) n++ }\\\"'" "scaled_s = 1;"
	sed -i 's/id = "bad";/id = "bad"; size = "scaled"; count = 1000;/' "$scenario"
	run_scenario --load=bad --repetitions=1
	[ "$status" -eq 0 ]
	[ "$(record 'r["loads"][0]["count"] > 1000000')" = True ]
	[ "$(record 'str(r["loads"][0]["count"]) in r["loads"][0]["command"]')" = True ]
	[ "$(record 'min(t["real_ns"] for t in r["trials"][-1]["timings"]) > 3e8')" = True ]
	record 'r["notes"]' | grep "was scaled from 1000 to"
}

@test "a cached tree is made once" {
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	write_scenario "ls {dir}"
	run_scenario --load=bad --quick --cache-tree
	[ "$status" -eq 0 ]
	[ "$(record 'r["tree"]["cached"]')" = False ]
	rm -r "$run_dir"
	run_scenario --load=bad --quick --cache-tree
	[ "$(record 'r["tree"]["cached"]')" = True ]
	[ "$(record 'r["tree"]["path"]')" = "$XDG_CACHE_HOME/xcsbench/trees/flat-300-60/files" ]
	[ -d "$XDG_CACHE_HOME/xcsbench/trees/flat-300-60/files" ]
}

@test "a tree in another folder is removed with the run" {
	mkdir "$BATS_TEST_TMPDIR/else where"
	write_scenario "ls {dir}"
	run_scenario --load=bad --quick --tree-dir="$BATS_TEST_TMPDIR/else where"
	[ "$status" -eq 0 ]
	record 'r["tree"]["path"]' | grep -q "else where/xcsbench-.*/files"
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/else where")" ]
}

@test "no room for the tree: refused before anything is measured" {
	[ "$(id -u)" -eq 0 ] || skip "mounting a small file system needs root"
	mkdir "$BATS_TEST_TMPDIR/small"
	mount -t tmpfs -o size=1m,nr_inodes=100 tmpfs "$BATS_TEST_TMPDIR/small" 2>/dev/null ||
		skip "mounting is not allowed here"
	mounted=$BATS_TEST_TMPDIR/small
	write_scenario "ls {dir}"
	run_scenario --load=bad --quick --tree-dir="$mounted"
	[ "$status" -eq 2 ]
	grep -q "301 inodes are needed" "$log"
	[ -z "$(ls -A "$mounted")" ]
	no_scratch
}

@test "the plan tells of the files" {
	run "$XCS_BIN/xcsbench" run c-ls-10000 --dry-run --quick
	[ "$status" -eq 0 ]
	[[ $output == *"10001 files with names of 247 bytes"* ]]
}

@test "options of the tree that do not fit are refused" {
	write_scenario "ls {dir}"
	run_scenario --tree-dir=/nowhere/at/all
	[ "$status" -eq 2 ] && grep -q "/nowhere/at/all" "$log"
	run_scenario --tree-dir=/tmp --cache-tree
	[ "$status" -eq 2 ] && grep -q "not both" "$log"
	scenario=a-four-xterm-flood
	run_scenario --cache-tree
	[ "$status" -eq 2 ] && grep -q "no tree of files" "$log"
}

is_listing() {
	pgrep -P "$runner" -x xcs-sample >/dev/null && pgrep -f "xcs-feed.*$scratch" >/dev/null
}

start_endless() {
	write_scenario "while :; do ls -l; done"
	mkfifo "$BATS_TEST_TMPDIR/never"
	setsid "$XCS_BIN/xcsbench" run "$scenario" --server=xvfb --max-foreign=100 --deadline=5s \
		--load=bad --tree-entries=5000 --output="$run_dir" >"$log" 2>&1 3>&- &
	runner=$!
	until_true grep -q '\[1/' "$log"
	scratch=$(echo "$BATS_TEST_TMPDIR"/xcsbench-*)
	until_true is_listing
}

@test "what a command leaves in the background ends with it" {
	write_scenario "sleep 7171 & sleep 7272 >/dev/null 2>&1 & echo a"
	run_scenario --load=bad --repetitions=1
	[ "$status" -eq 0 ] || grep -q "somebody else switched" "$log"
	run pgrep -f '^sleep 7(171|272)$'
	[ "$status" -eq 1 ]
}

@test "SIGKILL of the runner while a command is tried: what the command started ends too" {
	write_scenario "nohup sleep 7373; true" "deadline_s = 60;"
	mkfifo "$BATS_TEST_TMPDIR/never"
	setsid "$XCS_BIN/xcsbench" run "$scenario" --server=xvfb --quick --max-foreign=100 --load=bad \
		--output="$run_dir" >"$log" 2>&1 3>&- &
	runner=$!
	until_true pgrep -f '^sleep 7373$'
	kill -KILL "$runner"
	end_run
	[ "$status" -eq 137 ]
	is_asleep() { pgrep -f '^sleep 7373$' >/dev/null; }
	is_awake() { ! is_asleep; }
	until_true is_awake
}

@test "SIGKILL of the runner in a timed trial: no file and no process is left" {
	start_endless
	kill -KILL "$runner"
	end_run
	[ "$status" -eq 137 ]
	nothing_is_left
}

@test "Ctrl-C in a timed trial: exit 130, no file and no process is left" {
	start_endless
	kill -INT "$runner"
	end_run
	[ "$status" -eq 130 ]
	nothing_is_left
}
