#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The formats of a report, read back by somebody else's programs.

bats_require_minimum_version 1.5.0

setup() {
	report=$XCS_LIBEXEC/xcs-report
	run_dir=$BATS_TEST_TMPDIR/run
	"$XCS_RUN_WRITER" "$run_dir"
	cd "$BATS_TEST_TMPDIR"
}

# refute COMMAND...: it must fail. (A plain "! command" fails no test unless it is the last line.)
refute() {
	! "$@"
}

# edit PYTHON: changes run.json, which is `run` in the statement
edit() {
	python3 - "$run_dir/run.json" "$1" <<-'EOF'
	import json, sys
	run = json.load(open(sys.argv[1]))
	exec(sys.argv[2])
	json.dump(run, open(sys.argv[1], "w"))
	EOF
}

@test "csv has every metric of every trial, and the rates between samples" {
	edit 'run["loads"][0]["id"] = "a,\"b\"\u6f22"; run["trials"][7]["status"] = "void"'
	rm "$run_dir/trials/009.xcs"
	run -2 --separate-stderr "$report" report run --format=csv --output=out.csv
	python3 - out.csv <<-'EOF'
	import csv, sys
	raw = open(sys.argv[1], "rb").read()
	assert raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n")
	rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
	assert list(rows[0]) == ("run label kernel load x_nice hogs trial block status metric "
	                         "unit t_ns value").split()
	assert all(None not in r and None not in r.values() for r in rows)
	assert {r["trial"] for r in rows} == {str(i) for i in range(24)}
	assert {r["load"] for r in rows} == {'a,"b"\u6f22', "flood"}
	assert {r["status"] for r in rows if r["trial"] == "7"} == {"void"}
	assert {r["status"] for r in rows if r["trial"] == "0"} == {"warm-up"}
	def of(trial, metric):
	    return [(r["t_ns"], r["value"]) for r in rows if (r["trial"], r["metric"]) == (trial, metric)]
	assert of("13", "cs")[0] == ("", "25000")
	assert of("13", "cs")[1:] == [(str(i * 10**9), "25000") for i in range(1, 6)], of("13", "cs")
	assert of("13", "cs_task")[1:] == [(str(i * 10**9), "12280") for i in range(1, 6)], of("13", "cs_task")
	assert of("13", "frames") == [("", "")]
	assert of("9", "cs") == [("", "")]
	EOF
}

@test "json follows the installed schema, whatever the run looks like" {
	python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
	"$report" schema report >schema.json
	valid() {
		"$report" report run --json >report.json || [ $? -eq 2 ]
		python3 - <<-'EOF'
		import json, jsonschema
		schema = json.load(open("schema.json"))
		jsonschema.Draft202012Validator.check_schema(schema)
		jsonschema.Draft202012Validator(schema).validate(json.load(open("report.json")))
		EOF
	}
	valid
	edit 'run["trials"] = run["trials"][:3]; run["status"] = "partial"'
	valid
	edit 'run["trials"] = []; run["loads"][0]["id"] = "\u0000x" and "\u202e\ud83d\udc27"'
	valid
}

@test "the schema refuses what is not a report" {
	python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
	"$report" report run --json >report.json
	"$report" schema report >schema.json
	python3 - <<-'EOF'
	import copy, json, jsonschema
	validator = jsonschema.Draft202012Validator(json.load(open("schema.json")))
	report = json.load(open("report.json"))
	for path in ("schema title verdict sections/face/items sections/trials/facts/void "
	             "sections/switches/tables/switches/rows/0/cs/median").split():
	    changed = copy.deepcopy(report)
	    at = changed
	    *parents, last = path.split("/")
	    for key in parents:
	        at = at[int(key)] if key.isdigit() else at[key]
	    at[last] = {"not": "a report"}
	    assert not validator.is_valid(changed), path
	EOF
}

@test "markdown of a very large run fits into an issue, and says what it left out" {
	edit 'run["trials"] *= 50; run["notes"] = [f"note {i}" for i in range(9000)]'
	"$report" report run --format=markdown >out.md
	[ "$(wc -c <out.md)" -lt 60000 ]
	grep -q "were left out to keep this short" out.md
	[ "$(grep -c '<details>' out.md)" -eq "$(grep -c '</details>' out.md)" ]
}

@test "the output's name chooses the format; the file appears whole" {
	"$report" report run -o a.md
	head -n 1 a.md | grep -q '^## '
	"$report" report run -o a.json
	python3 -m json.tool a.json >/dev/null
	"$report" report run -o plain
	head -n 1 plain | grep -q '^Four-xterm'
	"$report" report run --format=json -o b.csv
	head -n 1 b.csv | grep -q '^{'
	"$report" report run --format=csv -o - | head -n 1 | grep -q ^run,
	"$report" report run -o /dev/null
	[ -c /dev/null ]
	run "$report" report run -o /dev/full
	[ "$status" -eq 2 ]
	[[ $output == *"cannot write /dev/full: No space left on device"* ]]
	run "$report" report run -o nowhere/a.md
	[ "$status" -eq 2 ]
	run "$report" report run --json --format=csv
	[ "$status" -eq 2 ]
	[[ $output == *"--json and --format=csv exclude each other"* ]]
	run "$report" report run --format=pdf
	[ "$status" -eq 2 ]
}

@test "the schemas are printed by name" {
	"$report" schema report | grep -q '"$id": "xcsbench.report/1"'
	"$report" schema run | grep -q '"$id": "xcsbench.run/1"'
	run "$report" schema nothing
	[ "$status" -eq 2 ]
	[[ $output == *"there is no schema 'nothing'"* ]]
}

@test "text is the same bytes whatever the terminal" {
	"$report" report run >plain
	for columns in 40 200; do
		COLUMNS=$columns "$report" report run | cmp - plain
	done
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	COLUMNS=200 script -qec "$report report run" /dev/null </dev/null | tr -d '\r' | cmp - plain
	LC_ALL=C.UTF-8 TERM=xterm-256color script -qec "$report report run" /dev/null </dev/null | tr -d '\r' | cmp - plain
}

@test "mbox is a mail that others read, whose body is the text" {
	unset EMAIL
	"$report" report run >text
	"$report" report run --format=mbox --from "J\xf6rg" 2>err && false
	grep -q "has no @" err
	"$report" report run --format=mbox --from 'Ä. Muster, B.A. <a@example.org>' \
		--in-reply-to 20260101.1@example.org >>box
	EMAIL=b@example.org "$report" report run -o second.mbox
	cat second.mbox >>box
	python3 - <<-'EOF'
	import email.policy, mailbox
	box = mailbox.mbox("box", factory=lambda f: email.message_from_binary_file(f, policy=email.policy.default))
	first, second = box
	assert first["From"].addresses[0].display_name == "Ä. Muster, B.A.", first["From"]
	assert first["From"].addresses[0].addr_spec == "a@example.org"
	assert second["From"].addresses[0].addr_spec == "b@example.org"
	assert first["In-Reply-To"] == "<20260101.1@example.org>" == first["References"]
	assert second["In-Reply-To"] is None and first["Message-ID"] is None
	assert first["Subject"].endswith("on Linux 6.18.5") and "[REGRESSION]" not in first["Subject"]
	assert first["Date"].datetime.tzinfo and not first.defects
	assert first.get_content_type() == "text/plain"
	assert dict(first["Content-Type"].params) == {"charset": "us-ascii", "format": "fixed"}
	text = open("text").read()
	assert first.get_content().rstrip("\n") == text.rstrip("\n") == second.get_content().rstrip("\n")
	assert max(map(len, open("box", "rb").read().split(b"\n"))) <= 100
	EOF
	run --separate-stderr "$report" report run --format=mbox
	[ "$status" -eq 0 ]
	[[ $stderr == *"the mail has no From header"* ]]
	[[ $output != *$'\n'"From: "* ]]
}

@test "a header cannot be smuggled into a mail" {
	for bad in $'a@b\nBcc: c@d' $'a@b\r' 'nobody'; do
		run "$report" report run --format=mbox --from "$bad"
		[ "$status" -eq 2 ]
		run "$report" report run --format=mbox --from a@b --in-reply-to "$bad"
		[ "$status" -eq 2 ]
	done
	run "$report" report run --format=mbox --from a@b --in-reply-to "a@b c@d"
	[ "$status" -eq 2 ]
}

@test "plots fit into a mail, and their labels cannot command gnuplot" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	"$report" report run --plots >out
	refute env LC_ALL=C grep -nE '^.{73}' out
	refute env LC_ALL=C grep -nP '[^\x20-\x7e]| $' out
	[ "$(grep -c 'against X nice (' out)" -ge 3 ]
	grep -q '^  o  flood$' out
	"$report" report run --plots --format=markdown | grep -q '^```text$'
	"$report" report run --plots --format=mbox --from a@b | grep -q '^  o  flood$'
	edit 'run["loads"][0]["id"] = "`touch a`'"'"' system(\"touch b\") @c $0 \\ \u6f22\u0301"'
	for format in text html; do
		"$report" report run --plots --format="$format" >out
		grep -q 'touch a' out
	done
	[ ! -e a ] && [ ! -e b ]
	[ "$(grep -c '<svg viewBox="0 0 7' out)" -gt 10 ]
}

@test "without gnuplot the charts are missing, which is said once, and nothing else" {
	mkdir empty
	PATH=$PWD/empty "$report" report run --plots >out
	[ "$("$(command -v grep)" -c 'No charts: ' out)" -eq 1 ]
	"$report" report run >plain
	refute grep -vxFf out plain
	PATH=$PWD/empty "$report" report run -o out.html
	[ "$(grep -c 'No charts: ' out.html)" -eq 1 ]
	refute grep -q '<svg viewBox="0 0 7' out.html
	grep -q 'Numbers (6 rows)' out.html
}
