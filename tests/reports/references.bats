#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The reference results: all figures that were published are there, and no others; each set
# fits its schema; xcsbench list references explains them.

setup() {
	data=$XCS_DATA/references/lkml-2007.json
	schema=$XCS_DATA/schema/xcsbench.reference-1.schema.json
}

@test "every published figure is in the data, and nothing else" {
	python3 - "$data" "$XCS_SOURCE/tests/data/references/lkml-2007.txt" <<-'EOP'
	import json, sys
	found = {}
	for e in json.load(open(sys.argv[1]))["experiments"]:
	    for r in e["rows"]:
	        for f in r["figures"]:
	            key = (e["id"], r["kernel"], r["span"], r.get("x_nice"), r.get("client_nice"),
	                   r.get("command"), r.get("n_hogs"), f["metric"])
	            assert key not in found, key
	            found[key] = f["values"]
	num = lambda s: None if s == "-" else float(s)
	n = 0
	for line in open(sys.argv[2]):
	    if line.startswith("#"):
	        continue
	    exp, kernel, span, x, client, command, hogs, metrics, values = \
	        [p.strip() for p in line.split(";")]
	    values, metrics = [float(v) for v in values.split()], metrics.split()
	    for i, metric in enumerate(metrics):
	        want = values if len(metrics) == 1 else [values[i]]
	        match = [k for k in found if k[0] == exp and kernel in k[1] and k[2] == span
	                 and k[3] == num(x) and k[4] == num(client)
	                 and k[5] == (None if command == "-" else command)
	                 and k[6] == num(hogs) and k[7] == metric]
	        assert len(match) == 1, (line, metric, match)
	        assert found.pop(match[0]) == want, line
	        n += len(want)
	assert not found, found
	assert n == 326, n
	EOP
}

@test "numbers that stand in sentences are kept too" {
	python3 - "$data" <<-'EOP'
	import json, sys
	by_id = {e["id"]: e for e in json.load(open(sys.argv[1]))["experiments"]}
	assert all("linux-kernel" in e["source"] for e in by_id.values())
	assert [by_id[i]["date"] for i in "ABCD"] == ["April 2007", "April 2007", "March 2007", "January 2004"]
	assert "10,000 lines" in by_id["A"]["method"]
	for n in ("10,000", "247", "242", "five"):
	    assert n in by_id["C"]["workload"], n
	assert "10 %" in " ".join(by_id["C"]["claims"])
	assert [r["n_lines"] for r in by_id["D"]["rows"] if "n_lines" in r] == [204276] * 3
	EOP
}

@test "the set fits its schema, a changed one does not" {
	python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
	python3 - "$schema" "$data" <<-'EOP'
	import copy, json, sys, jsonschema
	schema, data = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
	jsonschema.Draft202012Validator.check_schema(schema)
	validator = jsonschema.Draft202012Validator(schema)
	validator.validate(data)
	for change in (lambda d: d.update(schema="xcsbench.reference/2"),
	               lambda d: d["experiments"][0].pop("source"),
	               lambda d: d["experiments"][0]["rows"][0].update(span="whenever"),
	               lambda d: d["experiments"][0]["rows"][0]["figures"][0].update(values=[])):
	    changed = copy.deepcopy(data)
	    change(changed)
	    assert not validator.is_valid(changed)
	EOP
}

@test "every metric that we have is named as ours, with our unit" {
	"$XCS_BIN/xcsbench" list references --json >"$BATS_TEST_TMPDIR/list"
	python3 - "$BATS_TEST_TMPDIR/list" "$XCS_SOURCE/record/metric.c" "$data" <<-'EOP'
	import json, re, sys
	listed, data = json.load(open(sys.argv[1])), json.load(open(sys.argv[3]))
	assert [s["name"] for s in listed] == ["lkml-2007"]
	count = lambda s: sum(len(f["values"]) for e in s["experiments"] for r in e["rows"] for f in r["figures"])
	assert count(listed[0]) == count(data) == 326
	ours = dict(re.findall(r'\{"([a-z_.]+)",\s+"[^"]+",\s+"([^"]+)"', open(sys.argv[2]).read()))
	own = {"refresh", "throughput", "memory.swpd", "memory.free", "memory.buff", "memory.cache",
	       "io.bo", "hog.stall", "hog.keys"}
	for e in data["experiments"]:
	    for r in e["rows"]:
	        for f in r["figures"]:
	            if f["metric"] in ours:
	                assert ours[f["metric"]] == f["unit"], f
	            else:
	                assert f["metric"] in own or f["metric"].startswith("command."), f
	EOP
}

@test "list references explains each experiment, in lines for a mail" {
	"$XCS_BIN/xcsbench" list references >"$BATS_TEST_TMPDIR/out"
	for text in "A (April 2007)" "B (April 2007)" "C (March 2007)" "D (January 2004)" \
		"Claimed there:" "Cannot:" "--beside lkml-2007"; do
		grep -qF -- "$text" "$BATS_TEST_TMPDIR/out"
	done
	[ -z "$(LC_ALL=C grep -nE '^.{73}' "$BATS_TEST_TMPDIR/out")" ]
	[ -z "$(LC_ALL=C grep -nP '[^\x20-\x7e]' "$BATS_TEST_TMPDIR/out")" ]
}

@test "--beside prints the published rows of the run's experiment, for all four" {
	for kind in flood idle ls scroll; do
		"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/$kind" "$kind"
		"$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/$kind" --beside lkml-2007 \
			>"$BATS_TEST_TMPDIR/out"
		[ -z "$(LC_ALL=C grep -nE '^.{73}' "$BATS_TEST_TMPDIR/out")" ]
		[ -z "$(LC_ALL=C grep -nP '[^\x20-\x7e]' "$BATS_TEST_TMPDIR/out")" ]
		cp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/$kind.txt"
	done
	grep -qE '^mainline, SD +-10 +4 +14145 +14031\.\.14300' "$BATS_TEST_TMPDIR/flood.txt"
	grep -qE '^CFS v5 +10 +since boot +1 +477 +209 ' "$BATS_TEST_TMPDIR/idle.txt"
	grep -qE '^RSDL 0\.31 +19 +0 +1 +0\.188 +0\.196 +3\.268 +11\.75' "$BATS_TEST_TMPDIR/ls.txt"
	grep -qF '23.107/5.652/1.631' "$BATS_TEST_TMPDIR/scroll.txt"
	grep -qF '22.622/5.681/1.807' "$BATS_TEST_TMPDIR/scroll.txt"
}

@test "--beside as data: the published figures stand in the report's JSON" {
	for kind in flood idle ls scroll; do
		"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/$kind" "$kind"
		"$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/$kind" --beside lkml-2007 --json \
			>"$BATS_TEST_TMPDIR/$kind.json"
	done
	python3 - "$BATS_TEST_TMPDIR" "$XCS_DATA/schema/xcsbench.report-1.schema.json" <<-'EOP'
	import json, sys
	kinds = "flood", "idle", "ls", "scroll"
	reports = {k: json.load(open(f"{sys.argv[1]}/{k}.json")) for k in kinds}
	table = lambda kind, section, name: reports[kind]["sections"][section]["tables"][name]["rows"]
	rows = table("flood", "beside_switches", "switches")
	assert rows[3]["kernel"] == "mainline, SD" and rows[3]["x_nice"] == -10
	assert rows[3]["cs"] == {"median": 14145, "min": 14031, "max": 14300, "n": 4}
	assert rows[0]["ni"] is None
	assert [r["cs"] for r in table("flood", "beside_samples", "samples")[:4]] == [170, 184, 162, 189]
	assert table("idle", "since_boot", "since_boot")[0]["cs"] == 5000
	assert table("ls", "terminals", "terminals")[0]["command.real"]["median"] == 3.02
	assert table("ls", "terminals", "terminals")[8]["command.user"] == "failed"
	slow = table("scroll", "slowdown", "slowdown")[0]
	assert abs(slow["slowdown"] - 0.5215 / 0.02) < 1e-9, slow
	try:
	    import jsonschema
	except ImportError:
	    sys.exit(0)
	for report in reports.values():
	    jsonschema.validate(report, json.load(open(sys.argv[2])))
	EOP
}

@test "--beside with a name that is none tells the names that there are" {
	"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/run" ls
	run "$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/run" --beside lkml-1991
	[ "$status" -eq 2 ]
	[[ $output == *"no reference results named 'lkml-1991'; there are: lkml-2007"* ]]
	run "$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/run" --beside ./none.json
	[ "$status" -eq 2 ]
	[[ $output == *"cannot read ./none.json"* ]]
}

@test "--beside takes a set of one's own by path" {
	"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/run" ls
	sed 's/RSDL 0.31"/my own"/g' "$data" >"$BATS_TEST_TMPDIR/mine.json"
	"$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/run" --beside "$BATS_TEST_TMPDIR/mine.json" \
		>"$BATS_TEST_TMPDIR/out"
	grep -qE '^my own +-20 ' "$BATS_TEST_TMPDIR/out"
}

@test "--beside says when nothing compares" {
	"$XCS_RUN_WRITER" "$BATS_TEST_TMPDIR/run" ls
	sed -i 's/"C (March 2007)"/"X (never)"/' "$BATS_TEST_TMPDIR/run/run.json"
	run "$XCS_BIN/xcsbench" report "$BATS_TEST_TMPDIR/run" --beside lkml-2007
	[ "$status" -eq 0 ]
	[[ $output == *"Nothing in lkml-2007 compares with this run"* ]]
}

@test "schema reference prints the schema of a set" {
	"$XCS_BIN/xcsbench" schema reference >"$BATS_TEST_TMPDIR/out"
	cmp "$BATS_TEST_TMPDIR/out" "$schema"
}
