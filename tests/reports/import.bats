#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench import from outside: JSON, run records and their reports, batches, junk.

setup() {
	report=$XCS_LIBEXEC/xcs-report
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	unset SUDO_UID
	cd "$BATS_TEST_TMPDIR"
	data=$XCS_SOURCE/tests/data/import
}

# asks JQ-LIKE-PYTHON-EXPRESSION: true of the JSON on stdin, which it calls j
asks() {
	python3 -c "import json, sys; j = json.load(sys.stdin); s = j['series']; assert $1, s"
}

@test "vmstat: --json prints integers, what was dropped, and means" {
	"$report" import vmstat "$data/vmstat/plain-16" --json - >out
	asks 'len(s) == 1 and s[0]["dropped_since_boot"] == 1 and len(s[0]["samples"]) == 4' <out
	asks 'all(isinstance(v, int) for row in s[0]["samples"] for v in row.values())' <out
	asks 's[0]["mean"]["cs"] == sum(r["cs"] for r in s[0]["samples"]) / 4' <out
	asks '"st" not in s[0]["samples"][0] and "since-boot" in s[0]["notes"][0]' <out
	"$report" import vmstat "$data/vmstat/procps2" --json out.json
	asks '"wa" not in s[0]["columns"] and "wa" not in s[0]["mean"]' <out.json
	"$report" import vmstat "$data/vmstat/plain-gu" --json - |
		asks 'all(r["user_share"] == r["us"] + r["gu"] for r in s[0]["samples"])'
	"$report" import vmstat "$data/vmstat/wrapped-unsigned" --json - |
		asks 's[0]["samples"][0]["wa"] is None'
	"$report" import vmstat "$data/vmstat/single" --json - |
		asks 's[0]["samples"] == [] and s[0]["mean"]["cs"] is None'
}

@test "vmstat: several series are described one by one" {
	"$report" import vmstat "$data/vmstat/two-commands" --label old --label new \
		--kernel 2.6.21 --kernel 6.12 --x-nice 0,-10 --source "a mail" --json - >out
	asks '[x["label"] for x in s] == ["old", "new"]' <out
	asks '[x["kernel"] for x in s] == ["2.6.21", "6.12"]' <out
	asks '[x["interval_ns"] for x in s] == [10**9, 5 * 10**9]' <out
	"$report" import vmstat "$data/vmstat/two-commands" --label one --json - |
		asks '[x["label"] for x in s] == ["one 1", "one 2"]'
}

@test "vmstat: a series becomes a run, and its report says where it is from" {
	run "$report" import vmstat "$data/vmstat/2007-sd-minus-10" --first-row=keep \
		--kernel 2.6.21-rc7 --x-nice -10 --label "SD, X at -10" --source "a list, 2007" -o run
	[ "$status" -eq 0 ]
	[ "$output" = run ]
	cmp "$data/vmstat/2007-sd-minus-10" run/imported.txt
	"$report" report run >text
	grep -q "^IMPORTED from vmstat (a list, 2007), not measured here.$" text
	grep -q "^Renice: unknown" text
	grep -q "^Kernel *2.6.21-rc7$" text
	# (14147 + 14143 + 14031 + 14300) / 4, and the same of the others
	grep -qE "^imported +-10 +1 +14155 +147 +4.5 +79.5 +20.5 +0.0 +0.0$" text
	[ -z "$(grep "n/a" text)" ]
	[ -z "$(LC_ALL=C grep -nE '^.{73}|[^ -~]' text)" ]
	"$report" report run --json >/dev/null
	run "$report" import vmstat "$data/vmstat/plain-16" -o run
	[ "$status" -eq 2 ]
	[[ $output == *"run holds a run already"* ]]
}

@test "vmstat: runs go to the user's runs; shares that do not add up are not scaled" {
	dir=$("$report" import vmstat "$data/vmstat/wrapped-steal-hidden" --first-row=drop)
	[[ $dir == "$XDG_DATA_HOME/xcsbench/runs/"* ]]
	"$report" import vmstat "$data/vmstat/wrapped-steal-hidden" --json - >out
	us=$(python3 -c 'import json; print("%.1f" % json.load(open("out"))["series"][0]["mean"]["us"])')
	"$report" report "$dir" >text
	grep -qE "^imported .* $us " text
}

@test "vmstat: two imported series can be compared, which concludes nothing" {
	"$report" import vmstat "$data/vmstat/two-commands" --label old --label new -o runs
	run "$report" compare runs/1 runs/2
	[ "$status" -eq 3 ]
	[[ $output == *"new: description only; against old"* ]]
	[ -z "$(grep "must be alike" <<<"$output")" ]
}

@test "a series that repeats a published experiment stands beside it" {
	"$report" import vmstat "$data/vmstat/2007-sd-minus-10" --first-row=keep --kernel 6.18.0 \
		--x-nice=-10 --experiment A -o run
	run "$report" report --beside lkml-2007 run
	[ "$status" -eq 0 ]
	grep -qE "^imported, 6.18.0 +-10 +4 +14155 " <<<"$output"
	[[ $output == *"means over n samples of the whole machine"* ]]
	for name in B C D; do
		rm -r run
		"$report" import vmstat "$data/vmstat/plain-16" --experiment "$name" -o run
		"$report" report --beside lkml-2007 run | grep -q "^Beside lkml-2007: $name"
	done
}

@test "a bad file gives its sentence, the others go on" {
	printf 'nothing\n' >bad
	status=0
	"$report" import vmstat bad "$data/vmstat/plain-16" nowhere "$data/vmstat/plain-17" \
		--json - >out 2>err || status=$?
	[ "$status" -eq 2 ]
	asks 'len(s) == 2' <out
	[ "$(wc -l <err)" -eq 2 ]
	grep -q "^xcsbench import: bad: it holds no header of vmstat" err
	grep -q "^xcsbench import: nowhere: cannot be read: No such file" err
	run "$report" import vmstat .
	[ "$status" -eq 2 ]
	run "$report" import vmstat - --json - <"$data/vmstat/plain-16"
	[ "$status" -eq 0 ]
}

@test "hyperfine: mean, spread, exit codes, parameters; an empty file names the command" {
	"$report" import hyperfine "$data/hyperfine/single" --json - |
		asks 's[0]["mean"]["real"] == 12.25 and s[0]["spread"]["real"] is None and s[0]["n"] == 1'
	"$report" import hyperfine "$data/hyperfine/no-exit-codes" --json - |
		asks 's[0]["exit_codes"] == "not recorded" and s[0]["mean"]["real"] == 0.5'
	"$report" import hyperfine "$data/hyperfine/no-times" --json - |
		asks 's[0]["mean"]["real"] == 0.5 and s[0]["n"] is None and s[0]["samples"] == []'
	status=0
	"$report" import hyperfine "$data/hyperfine/empty" "$data/hyperfine/constant" \
		--command "hyperfine false true" --json - >out 2>err || status=$?
	[ "$status" -eq 2 ]
	grep -q "no results: the timed command failed (hyperfine false true)" err
	asks 'len(s) == 1 and "suspiciously constant" in s[0]["notes"][0]' <out
	"$report" import hyperfine "$data/hyperfine/parameters" -o run
	"$report" report run >text
	grep -qE "^seq 10 .* 2 +0.5000 +0.3536 +0.2500 +0.7500$" text
	[ -s run/imported.txt ]
	run "$report" import hyperfine "$data/hyperfine/no-times" -o other
	[ "$status" -eq 2 ]
	[[ $output == *"has no sample to report"* ]]
}

@test "perf stat and sar become runs; a comma that reads two ways is refused" {
	"$report" import perf-stat "$data/perf-stat/interval" -o perf
	"$report" report perf | grep -qE "^imported .* 9100$" # 27300 in 3.000021 s
	run "$report" import perf-stat "$data/perf-stat/comma-german" --json -
	[ "$status" -eq 2 ]
	[[ $output == *'LC_ALL=C, or with -x";"'* ]]
	"$report" import sar "$data/sar/plain" -o sar
	"$report" report sar >text
	grep -q "^Kernel *6.1.0-example$" text
	grep -q "^Interval *5.000 s$" text
	grep -qE "^imported .* 1617$" text
}

@test "samples: rates, a reboot between two files, runs in two clusters" {
	"$report" import samples "$data/samples/columns" --json - | asks 's[0]["mean"]["ctxt/s"] == 4000'
	printf 't=0 boot_id=bb ctxt=5\n' >after
	status=0
	"$report" import samples "$data/samples/pairs" after --json - >out 2>err || status=$?
	[ "$status" -eq 2 ]
	asks 's[0]["incomplete"] and not s[1]["incomplete"] and s[1]["samples"] == []' <out
	asks 'any("rebooted after 10 s" in n for n in s[0]["notes"])' <out
	grep -q "is incomplete" err
	"$report" import samples "$data/samples/pairs" after -o cut 2>err || true
	"$report" report cut/1 | grep -q "^PARTIAL: the machine was rebooted in the middle of it"
	"$report" import samples "$data/samples/runs" -o run
	"$report" report run >text
	grep -qE "^imported +0 +4 +40100 +30100..50400$" text
	grep -q "two clusters" text
	run "$report" import samples "$data/samples/json-cut"
	[ "$status" -eq 2 ]
}

@test "a decimal comma of the locale changes nothing" {
	command -v localedef >/dev/null || skip "no localedef"
	localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null || [ -d de_DE.UTF-8 ] ||
		skip "localedef cannot make de_DE.UTF-8"
	for file in vmstat/plain-17 hyperfine/parameters perf-stat/plain sar/german samples/json; do
		"$report" import "${file%/*}" "$data/$file" --json c.json
		LOCPATH=$PWD LC_ALL=de_DE.UTF-8 "$report" import "${file%/*}" "$data/$file" --json de.json
		cmp c.json de.json
	done
}

@test "50 MB of junk are refused with one sentence" {
	head -c 50000000 /dev/urandom >junk
	{ printf '{"a":['; yes 1, | head -c 50000000; } >json

	for format in vmstat hyperfine perf-stat sar samples; do
		start=$(date +%s%N)
		run "$report" import "$format" junk
		[ "$status" -eq 2 ]
		[ "${#lines[@]}" -eq 1 ]
		echo "$format: $((($(date +%s%N) - start) / 1000000)) ms"
		[ $(($(date +%s%N) - start)) -lt 5000000000 ]
	done
	for format in hyperfine samples; do
		start=$(date +%s%N)
		run "$report" import "$format" json
		[ "$status" -eq 2 ]
		[[ $output == *"it is foreign (5000000"* ]]
		[ $(($(date +%s%N) - start)) -lt 2000000000 ]
	done
}

@test "wrong use is status 2, help names the visible command" {
	run "$report" import --help
	[ "$status" -eq 0 ]
	[[ $output == "Usage: xcsbench import [OPTION]... FORMAT FILE..."* ]]
	run "$report" import top x
	[ "$status" -eq 2 ]
	[[ $output == *"'top' is no format"* ]]
	run "$report" import vmstat
	[ "$status" -eq 2 ]
}
