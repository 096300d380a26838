#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# xcs-report from outside: what it prints, where, and with which exit status.

setup() {
	report=$XCS_LIBEXEC/xcs-report
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	unset SUDO_UID
	runs=$XDG_DATA_HOME/xcsbench/runs
	mkdir -p "$runs"
}

# refute COMMAND...: it must fail. (A plain "! command" fails no test unless it is the last line.)
refute() {
	! "$@"
}

# fails TEXT ARGS...: status 2, nothing on stdout, one line on stderr that holds TEXT
fails() {
	local text=$1 status=0
	shift
	"$report" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" -eq 2 ]
	[ ! -s "$BATS_TEST_TMPDIR/out" ]
	[ "$(wc -l <"$BATS_TEST_TMPDIR/err")" -eq 1 ]
	grep -qF -- "$text" "$BATS_TEST_TMPDIR/err"
}

@test "a run is found by path, by name, and as the latest" {
	"$XCS_RUN_WRITER" "$runs/01A"
	"$XCS_RUN_WRITER" "$runs/01C"
	mkdir "$runs/01Z" # no run in it
	sed -i 's/"a-four-xterm-flood"/"the-newest"/' "$runs/01C/run.json"
	run "$report" report "$runs/01A"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == *"(a-four-xterm-flood)" ]]
	run "$report" report 01A
	[[ ${lines[0]} == *"(a-four-xterm-flood)" ]]
	run "$report" report
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == *"(the-newest)" ]]
}

@test "a relative folder is a path when it is there" {
	"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR"
	run "$report" report here
	[ "$status" -eq 0 ]
}

@test "without any run it says how to make one" {
	fails "there is no run in $runs; make one with" report
	fails "nowhere holds no run.json" report nowhere
	fails "/nonexistent holds no run.json" report /nonexistent
}

@test "a run that cannot be read is refused with a sentence" {
	"$XCS_RUN_WRITER" "$runs/01A"
	truncate -s 3000 "$runs/01A/run.json"
	fails "cut short" report 01A
	echo '{"schema": "xcsbench.run/9", "id": "x"}' >"$runs/01A/run.json"
	fails "xcsbench.run/9" report 01A
	echo 'hello' >"$runs/01A/run.json"
	fails "not JSON" report 01A
}

@test "a damaged trial is left out, named, and the status tells" {
	"$XCS_RUN_WRITER" "$runs/01A"
	truncate -s 2000 "$runs/01A/trials/008.xcs"
	rm "$runs/01A/trials/009.xcs"
	status=0
	"$report" report 01A >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" -eq 2 ]
	grep -q "2 of 24 trials have no readable samples" "$BATS_TEST_TMPDIR/out"
	grep -q "008.xcs: its end is missing" "$BATS_TEST_TMPDIR/err"
	grep -q "009.xcs: No such file" "$BATS_TEST_TMPDIR/err"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/err")" -eq 2 ]
}

@test "--json says the same: rows, units, null for unknown" {
	"$XCS_RUN_WRITER" "$runs/01A"
	"$report" report 01A --json >"$BATS_TEST_TMPDIR/report.json"
	python3 - "$BATS_TEST_TMPDIR/report.json" <<-'EOF'
	import json, sys
	report = json.load(open(sys.argv[1]))
	assert report["schema"] == "xcsbench.report/1"
	sections = report["sections"]
	rows = sections["switches"]["tables"]["switches"]["rows"]
	assert len(rows) == 6
	row = rows[1]
	assert (row["load"], row["x_nice"], row["n"]) == ("xterm", -10, 3), row
	assert row["cs"] == {"median": 25000, "min": 24750, "max": 25250, "n": 3}, row
	throughput = sections["throughput"]["tables"]["throughput"]
	assert throughput["rows"][0]["frames"] is None
	assert throughput["rows"][4]["frames"]["median"] == 12000
	units = {c["id"]: c["unit"] for c in throughput["columns"]}
	assert units["lines"] == "1/s" and units["frames"] == "Hz"
	assert sections["conditions"]["facts"]["governor"] is None
	assert sections["observer"]["facts"]["late_p99_us"] is None
	assert sections["reproduce"]["facts"]["seed"] == "18446744073709551615"
	assert sections["reproduce"]["commands"][0].startswith("xcsbench run")
	EOF
}

@test "the text has no line over 72 columns and only ASCII" {
	"$XCS_RUN_WRITER" "$runs/01A"
	"$report" report >"$BATS_TEST_TMPDIR/out"
	refute env LC_ALL=C grep -nE '^.{73}' "$BATS_TEST_TMPDIR/out"
	refute env LC_ALL=C grep -nP '[^\x20-\x7e]' "$BATS_TEST_TMPDIR/out"
	grep -q "To reproduce" "$BATS_TEST_TMPDIR/out"
}

@test "no link and no pipe in a run's folder is followed" {
	local file
	"$XCS_RUN_WRITER" "$runs/01A"
	file=$runs/01A/$(jq -r '[.trials[] | .file | strings][0]' "$runs/01A/run.json")
	mkdir -p "${file%/*}"
	rm -f "$file"
	ln -s /etc/passwd "$file"
	fails "is a link or no plain file" report 01A
	rm "$file"
	mkfifo "$file"
	fails "is a link or no plain file" report 01A
	mv "${file%/*}" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "${file%/*}"
	fails "is a link or no plain file" report 01A
}

@test "no order for a bot comes out of a record" {
	"$XCS_RUN_WRITER" "$runs/01A"
	cd "$BATS_TEST_TMPDIR"
	python3 - "$runs/01A/run.json" <<-'EOF'
	import json, sys
	run = json.load(open(sys.argv[1]))
	run["notes"] = ["#regzbot introduced: x", "a #Regzbot y"]
	run["plan"]["command"] = "xcsbench run x; rm -r y"
	json.dump(run, open(sys.argv[1], "w"))
	EOF
	"$report" report 01A --format=mbox --from=a@example.org >out
	grep -q "?#regzbot introduced" out
	refute grep -qiE '(^|[^?])#regzbot' out
	refute grep -q "rm -r" out
	sed -i "s/xcsbench run x; rm -r y/xcsbench run -o 'it'\\\\\\\\''s; here' x/" "$runs/01A/run.json"
	"$report" report 01A | grep -qF "xcsbench run -o 'it'\\''s; here' x"
}

# face FILTER: the report of a run that jq has edited, in one line; without the times of day,
# of whose 19 digits jq makes 1e18.
face() {
	"$XCS_RUN_WRITER" "$runs/face"
	jq "walk(if type == \"number\" and . > 1e17 then null else . end) | $1" "$runs/face/run.json" >"$BATS_TEST_TMPDIR/edited"
	mv "$BATS_TEST_TMPDIR/edited" "$runs/face/run.json"
	"$report" report face | tr -s '\n ' ' '
}

@test "the face says which of two processes have the levels of the rows" {
	local chain='.plan.boost = "chain" |
		.environment += [{key: "server.comm", value: "Xwayland", source: "x"},
			{key: "compositor.comm", value: "weston", source: "x"}]'
	face "$chain" | grep -F "Boost: chain (Xwayland and weston). X nice is the nice of both."
	face "$chain"' | .plan.mode = "relative"' |
		grep -F "Boost: chain (Xwayland and weston). The load's level stands for a renice of both."
}

@test "help names the visible command; wrong use is status 2" {
	run "$report" report --help
	[ "$status" -eq 0 ]
	[[ $output == "Usage: xcsbench report [OPTION]... [RUN]"* ]]
	run "$report" schema --help
	[ "$status" -eq 0 ]
	[[ $output == "Usage: xcsbench schema"* ]]
	fails "unknown option --yaml" report --yaml
	fails "unexpected argument 'b'" report a b
	fails "give a verb" nothing
	fails "give a verb"
}

@test "schema prints the schema of run.json" {
	"$report" schema | python3 -c 'import json, sys; s = json.load(sys.stdin); assert s["$id"] == "xcsbench.run/1"'
}

@test "a full disk under the report is an error" {
	"$XCS_RUN_WRITER" "$runs/01A"
	run sh -c '"$1" report >/dev/full' - "$report"
	[ "$status" -eq 2 ]
	[[ $output == *"cannot write the report: No space left on device"* ]]
}
