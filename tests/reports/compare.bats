#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# xcsbench compare from outside, on fabricated campaigns whose truth is known.

setup() {
	report=$XCS_LIBEXEC/xcs-report
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	cd "$BATS_TEST_TMPDIR"
}

# campaign NAME [SETTING=VALUE]...: made once for the file, as each file of it is synced
campaign() {
	local name=$1 made
	shift
	made=$BATS_FILE_TMPDIR/campaign:$*
	[ -d "$made" ] || "$XCS_CAMPAIGN_WRITER" "$made" "$@"
	cp -r "$made" "$name"
}

# compares STATUS ARGS...: runs compare; its text is in out, warnings in err
compares() {
	local want=$1 status=0
	shift
	"$report" compare "$@" >out 2>err || status=$?
	[ "$status" -eq "$want" ] || {
		echo "status $status, wanted $want"
		cat out err
		return 1
	}
}

# edit FILTER RUN...: changes run.json of the runs by a filter of jq
edit() {
	local filter=$1 run
	shift
	for run; do
		jq "$filter" "$run/run.json" >edited
		cp edited "$run/run.json"
	done
}

fact() { # fact KEY VALUE: a filter that sets a fact of the environment
	echo ".environment += [{\"key\": \"$1\", \"value\": \"$2\", \"source\": \"test\"}]"
}

says() { tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$1" || { cat out; return 1; }; }
silent_about() { ! tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$1" || { cat out; return 1; }; }
first_line_says() { head -n1 out | grep -qF -- "$1" || { cat out; return 1; }; }

@test "a regression of a tenth is found: status 1, the first line says so" {
	campaign c shift=-10
	compares 1 c/base c/new
	first_line_says "6.13.0: regression; against 6.12.0 (a-four-xterm-flood)"
	says "Regression: lines -"
	says "3, of 6 + 6 boots"
	grep -q "^Machine$" out
	grep -q "^Not measured$" out
	compares 1 c/base c/new --json
	[ "$(jq -r .verdict.kind out)" = regression ]
	[ "$(jq -r .verdict.gate_regressed,.verdict.broad_regressed out | sort -u)" = true ]
	[ "$(jq -r .verdict.introduced out)" = "6.12.0..6.13.0" ]
	jq -e '.sections.gates.tables.gate_1.rows[0] | .shift_pct < -8 and .shift_pct > -12
		and .lower_pct < .shift_pct and .shift_pct < .upper_pct and .p_holm <= 0.05' out
}

@test "an improvement, the same kernel, and what cannot be told: status 0" {
	campaign up shift=10
	compares 0 up/base up/new
	first_line_says "improvement"
	campaign same boot_sd=0.2 trial_sd=0.2
	compares 0 same/base same/new
	first_line_says "equivalent"
	campaign vague boot_sd=6 seed=3
	compares 0 vague/base vague/new
	first_line_says "not shown"
	says "would have been found 4 times in 5"
	says "more boots"
	grep -q "  ~" out
}

@test "runs are found by folder, by pattern, by name, and by label" {
	campaign c shift=-10
	compares 1 c/base/0* 'c/new/*'
	mv out one
	compares 1 c/base c/new
	diff <(sed '/To reproduce/,$d' one) <(sed '/To reproduce/,$d' out)
	mkdir all && cp -r c/base/* c/new/* all/
	echo "foreign" >all/notes.txt && mkdir all/empty
	compares 1 all
	first_line_says "6.13.0: regression; against 6.12.0"
	compares 1 --label 'old=c/base' --label 'new=one=c/new'
	first_line_says "new=one: regression; against old" || first_line_says "new: regression"
}

@test "N kernels are compared with the first" {
	campaign c shift=-10
	campaign d new=6.14.0 boot_sd=0.2 trial_sd=0.2 seed=9
	edit '.boots[0].boot_id |= "9" + .[1:]' d/new/*
	compares 1 c/base c/new d/new
	first_line_says "6.13.0: regression; 6.14.0: "
	says "6.14.0 against 6.12.0:"
}

@test "labels that would be cut to the same text get letters and a legend" {
	campaign c
	compares 0 --label "6.18.0-rc5-next-20251112-00017-gdeadbeefcafe-eevdf-slice-v2-run1=c/base" \
		--label "6.18.0-rc5-next-20251112-00017-gdeadbeefcafe-eevdf-slice-v2-run2=c/new"
	first_line_says "B: "
	first_line_says "against A"
	says "A 6.18.0-rc5-next-20251112-00017-gdeadbeefcafe-eevdf-slice-v2-run1"
	says "B 6.18.0-rc5-next-20251112-00017-gdeadbeefcafe-eevdf-slice-v2-run2"
	[ -z "$(LC_ALL=C grep -nE '^.{73}' out)" ]
}

@test "labels of any bytes: same text everywhere, plain ASCII, 72 columns" {
	campaign c
	compares 0 --label $'caf\xe9\xff=c/base' --label $'\xe6\xbc\xa2\xe5\xad\x97=c/new'
	says 'caf\xE9\xFF'
	[ -z "$(LC_ALL=C grep -nP '[^\x20-\x7e]' out)" ]
	[ -z "$(grep -n ' $' out)" ]
	[ -z "$(LC_ALL=C grep -nE '^.{73}' out)" ]
	mv out first
	COLUMNS=40 compares 0 --label $'caf\xe9\xff=c/base' --label $'\xe6\xbc\xa2\xe5\xad\x97=c/new'
	diff first out
	COLUMNS=200 LC_ALL=C.UTF-8 compares 0 --label $'caf\xe9\xff=c/base' --label $'\xe6\xbc\xa2\xe5\xad\x97=c/new'
	diff first out
	compares 0 --json --label $'caf\xe9\xff=c/base' --label $'\xe6\xbc\xa2\xe5\xad\x97=c/new'
	python3 -c 'import json, sys; json.load(open("out", encoding="utf-8"))'
	jq -e '.sections.kernels.facts | .A | startswith("caf\\xE9\\xFF")' out
}

@test "another machine is refused with what differs; shown side by side when forced" {
	campaign c shift=-10
	edit '(.host[] | select(.key == "cpu.model")).value = "Other CPU"' c/new/*
	compares 3 c/base c/new
	first_line_says "invalid"
	says "cpu.model: 6.12.0 Example CPU 3000; 6.13.0 Other CPU"
	silent_about "Gate metrics"
	says "Nothing is concluded"
	silent_about "egression"
	compares 3 c/base c/new --force-descriptive
	first_line_says "description only"
	says "As measured: lines -"
}

@test "each hard key refuses: screen, server, mode, plan, cells, version, renice, import" {
	campaign c
	local filter
	for filter in '(.environment[] | select(.key == "server.width_px")).value = "1920"' \
		'.plan.server_kind = "xvfb"' '.plan.mode = "relative"' '.plan.scenario = "b"' \
		'.plan.autogroup_mode = "as-found"' '.plan.sample_ns = 1000000000' \
		'.plan.boost = "chain"' '.plan.placement = "same"' '.plan.profile = "as-is"' \
		'.cells[1].x_nice = -5' '.loads[0].columns = 132' '.tool_version = "0.2.0"' \
		'.probe.verdict = "ineffective (autogroup)"' '.origin.tool = "vmstat"' \
		'(.host[] | select(.key == "memory.total")).value = "16123456 kB"' \
		'(.host[] | select(.key == "cpu.online")).value = "0-3"'; do
		cp -r c d
		edit "$filter" d/new/*
		compares 3 d/base d/new || {
			echo "filter $filter"
			return 1
		}
		first_line_says "invalid"
		rm -r d
	done
	# The kernel keeps a little memory for itself: that is no other machine.
	edit '(.host[] | select(.key == "memory.total")).value = "8120000 kB"' c/new/*
	compares 0 c/base c/new
}

@test "soft differences stand in front, the kernel apart; passing ones do not" {
	campaign c
	edit "$(fact cpu.driver acpi-cpufreq) | $(fact load.average 0.5) | $(fact kernel.cmdline 'quiet root=/dev/sda1 console=ttyS0,115200 loglevel=3')" c/base/*
	edit "$(fact cpu.driver amd-pstate) | $(fact load.average 3.5) | $(fact kernel.cmdline 'quiet root=/dev/sda1 console=ttyS0,115200 loglevel=3 mitigations=off')" c/new/*
	compares 0 c/base c/new
	says "cpu.driver: 6.12.0 acpi-cpufreq; 6.13.0 amd-pstate"
	says "mitigations=off"
	silent_about "load.average"
	silent_about "kernel.release:"
	[ "$(grep -n 'Differences of' out | cut -d: -f1)" -lt "$(grep -n 'Gate metrics' out | head -n1 | cut -d: -f1)" ]
}

@test "another variable under test: the kernel must then be alike" {
	campaign c shift=-10
	edit "$(fact cpu.driver one)" c/base/*
	edit "$(fact cpu.driver two)" c/new/*
	compares 3 --variable cpu.driver --label a=c/base --label b=c/new
	says "kernel.release: a 6.12.0; b 6.13.0"
	edit '(.host[] | select(.key == "kernel.release")).value = "6.12.0"' c/new/*
	compares 1 --variable cpu.driver --label a=c/base --label b=c/new
	silent_about "cpu.driver: a"
}

@test "renice without effect: only gates at nice 0 can be judged" {
	campaign c shift=-10
	edit '.probe.verdict = "ineffective (autogroup)"' c/base/* c/new/*
	compares 3 c/base c/new
	first_line_says "invalid"
	says "renice had no effect"
	compares 3 --gate lines:xterm:-10 c/base c/new
	compares 1 --gate lines:xterm:0 c/base c/new
}

@test "a mail about a regression says so in its subject" {
	campaign c shift=-10
	compares 1 --format=mbox --from=tester@example.org c/base c/new
	grep -q '^Subject: .*REGRESSION' out
	campaign d boot_sd=0.2 trial_sd=0.2
	compares 0 --format=mbox --from=tester@example.org d/base d/new
	[ -z "$(grep 'REGRESSION' out)" ]
}

@test "a label that holds two kernels is none" {
	campaign c
	compares 3 --label "a=c/base" --label "b=c/*"
	first_line_says "invalid"
}

@test "one boot a side is suggestive at most; two a side and quick runs are description" {
	campaign c shift=-30 blocks=1
	compares 3 c/base c/new
	first_line_says "description only"
	says "two boots a side"
	silent_about "Regression"
	rm -r "$(ls -d c/base/* | head -n1)" "$(ls -d c/new/* | head -n1)"
	compares 3 c/base c/new
	first_line_says "suggestive at most (one boot a side)"
	campaign q shift=-30 quick=1
	compares 3 q/base q/new
	first_line_says "description only"
	says "quick runs"
}

@test "runs of one boot are trials of that boot, not boots" {
	campaign c shift=-10
	edit '.boots[0].boot_id = "11111111-0000-4000-8000-000000000001"' c/base/*
	compares 3 c/base c/new
	first_line_says "suggestive at most"
	edit '.boots[0].boot_id = "11111111-0000-4000-8000-000000000001"' c/new/*
	compares 3 c/base c/new
	first_line_says "invalid"
	says "one and the same boot"
}

@test "a run that was rebooted in the middle is marked, no baseline and no pass" {
	campaign c boot_sd=0.2 trial_sd=0.2
	compares 0 c/base c/new
	run=$(ls -d c/new/* | head -n1)
	edit '.status = "running"' "$run"
	compares 3 c/base c/new
	says "incomplete (rebooted after 50 s)"
	says "the machine went down under 1 of its runs"
	says "5 boots, 6 runs"
	edit '.status = "complete"' "$run"
	edit '.status = "partial" | .status_reason = "interrupted"' "$(ls -d c/base/* | tail -n1)"
	compares 0 c/base c/new
	says "incomplete: interrupted"
	says "5 boots, 6 runs; the base"
	edit '.status = "void" | .status_reason = "sched_ext changed"' \
		"$(ls -d c/base/* | tail -n1)"
	compares 0 c/base c/new
	says "void: sched_ext changed"
	edit '.status = "running"' c/new/*
	compares 3 c/base c/new
	first_line_says "invalid"
	says "no complete run of"
}

@test "boots that do not alternate are judged with a warning" {
	campaign c shift=-10 sequential=1
	compares 1 c/base c/new
	says "do not alternate in time"
	says "1, of 6 + 6 boots"
	campaign d shift=-10
	compares 1 d/base d/new
	silent_about "do not alternate"
	says "3, of 6 + 6 boots"
}

@test "the wall clock set back changes the order of boots and no rate" {
	campaign c shift=-10
	compares 1 --json c/base c/new
	jq '.sections.kernels.tables.boots.rows[2].gate_1' out >before
	third=$(ls -d c/base/* | sed -n 3p)
	edit '.trials[3].started_wall_ns -= 60000000000' "$third"
	compares 1 --json c/base c/new
	diff before <(jq '.sections.kernels.tables.boots.rows[2].gate_1' out)
}

@test "two heaps of boots are named and nothing is claimed of them" {
	campaign slow shift=-38 boot_sd=0.1 trial_sd=0.1
	campaign fast shift=-5 boot_sd=0.1 trial_sd=0.1
	cp -r fast/base base
	mkdir new
	cp -r $(ls -d slow/new/* | head -n3) new/
	cp -r $(ls -d fast/new/* | tail -n3) new/
	compares 0 base new
	first_line_says "not shown"
	says "two clusters, about"
	says "in 3 boots"
	[ "$(grep -cE '^6.13.0  1' out)" -ge 6 ]
}

@test "values alike to the last digit are suspicious" {
	campaign c trial_sd=0
	compares 0 c/base c/new
	says "lines is suspiciously constant"
	campaign d
	compares 0 d/base d/new
	silent_about "suspiciously"
}

@test "gates are chosen, at most five, and only what can regress" {
	campaign c shift=-10
	compares 1 --gate lines c/base c/new
	says "Gates lines Under"
	compares 1 --gate lines:xterm:-10,server.run_delay c/base c/new
	says "lines (xterm, nice -10)"
	compares 0 --gate server.run_delay c/base c/new
	compares 2 --gate cs c/base c/new
	grep -q "no better direction" err
	compares 2 --gate nonsense c/base c/new
	grep -q "'nonsense' is no metric" err
	compares 2 --gate lines:xterm:7 c/base c/new
	grep -q "no cell 'xterm:7'" err
	compares 2 --gate lines,frames,round_trip,fairness,server.run_delay,lines_per_client c/base c/new
	grep -q "more than 5 gate metrics" err
}

@test "stored A/A campaigns raise the floor" {
	campaign c shift=-10 boot_sd=0.5 trial_sd=0.5
	campaign aa blocks=2 boot_sd=20 seed=21
	compares 1 c/base c/new
	compares 0 --aa aa/base --aa aa/new c/base c/new
	first_line_says "not shown"
	compares 2 --aa nowhere c/base c/new
}

@test "the exit status for a bisection" {
	campaign c shift=-10
	compares 1 --exit-code=bisect c/base c/new
	campaign up shift=10
	compares 0 --exit-code=bisect up/base up/new
	campaign few blocks=1
	compares 125 --exit-code=bisect few/base few/new
	compares 128 --exit-code=bisect nowhere few/new
	compares 128 --exit-code=bisect --nonsense
	compares 128 --exit-code bisect
}

@test "wrong use is status 2 and one sentence" {
	campaign c
	compares 2
	compares 2 nowhere
	compares 2 c/base
	grep -q "all runs are of 6.12.0" err
	compares 2 c/base c/base
	compares 2 --label c/base
	mkdir empty
	compares 2 empty c/new
	[ "$(wc -l <err)" -eq 1 ]
	echo text >file
	compares 2 file c/new
	[ "$(wc -l <err)" -eq 1 ]
}

@test "imported series stand side by side, without a verdict" {
	local head='procs memory swap io system cpu' kernel
	for kernel in 2.6.21 2.6.22; do
		{
			echo "$head"
			echo ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st'
			echo ' 1  0      0 100000  1000  50000    0    0     1     2  100  900 10  5 85  0  0'
			echo " 1  0      0 100000  1000  50000    0    0     1     2  100 1000 10  5 85  0  0"
			echo " 1  0      0 100000  1000  50000    0    0     1     2  100 1${kernel##*.}0 10  5 85  0  0"
		} >"$kernel.log"
		"$report" import vmstat "$kernel.log" --kernel="$kernel" -o "$kernel" 2>err
	done
	compares 3 2.6.21 2.6.22
	first_line_says "2.6.22: description only; against 2.6.21"
	grep -qE '^cs +2.6.22' out
	grep -qE '^2.6.22 +0 +1110 +[0-9.-]+ ' out
	silent_about "must be alike"
	"$report" import vmstat 2.6.22.log --kernel=2.6.22 --x-nice=-10 -o other 2>err
	compares 3 2.6.21 other
	first_line_says "2.6.22: description only; against 2.6.21"
	grep -qE '^2.6.21 +0 +1105 +base ' out
	grep -qE '^2.6.22 +-10 +1110 +n/a ' out
	says "imported series, whose boots and environment are unknown"
	compares 3 2.6.21 2.6.22 other --json
	jq -e '.sections.imported.tables.imported.rows | length == 3' out
	compares 3 2.6.21 "$(campaign c && echo c/base)"
	first_line_says "invalid"
	says "measured with:"
	says "A 2.6.21 (imported): 1 boots"
}

@test "the same kernel in two folders is compared with itself" {
	campaign c new=6.12.0 boot_sd=0.2 trial_sd=0.2
	compares 0 c/base c/new
	first_line_says "equivalent"
	says "c/new"
}

@test "cut, empty, padded and foreign records are refused; beside others they are left out" {
	campaign c shift=-10
	last=$(ls -d c/new/* | tail -n1)
	cp "$last/run.json" whole
	for size in 0 1 50 3000; do
		head -c "$size" whole >"$last/run.json"
		compares 2 c/base "$last"
		[ "$(wc -l <err)" -eq 1 ]
	done
	{ head -c 3000 whole && head -c 400 /dev/zero; } >"$last/run.json"
	compares 2 c/base "$last"
	compares 1 c/base c/new
	says "left out"
}

@test "fifty megabytes of junk are refused in a second with one sentence" {
	campaign c
	mkdir junk random
	{
		echo '['
		yes '{"a": [1, 2, 3], "b": "text"},' | head -c 50000000
		echo '1]'
	} >junk/run.json
	head -c 50000000 /dev/urandom >random/run.json
	local dir start=$EPOCHREALTIME
	for dir in junk random; do
		start=${EPOCHREALTIME/./}
		compares 2 "$dir" c/new
		# Twice the second, for a machine that others use too.
		[ $((${EPOCHREALTIME/./} - start)) -lt 2000000 ]
		[ "$(wc -l <err)" -eq 1 ]
	done
}

@test "a trial that cannot be read is left out and said" {
	campaign c shift=-10
	head -c 100 /dev/urandom >"$(ls c/base/*/trials/*.xcs | head -n1)"
	compares 1 c/base c/new
	says "1 trials have no readable samples"
	[ -s err ]
}

@test "other formats, into a file" {
	campaign c shift=-10
	compares 1 -o result.md c/base c/new
	grep -q "regression" result.md
	[ ! -s out ]
	compares 1 -o result.json c/base c/new
	[ "$(jq -r .verdict.kind result.json)" = regression ]
	compares 2 --json --format=text c/base c/new
}

@test "charts show each kernel's line over nice, and the course over three kernels" {
	campaign c shift=-10
	compares 1 c/base c/new --json
	jq -e '.sections.charts.charts | (keys | map(startswith("sweep_")) | all) and
		(.sweep_lines.series | map(.name) == ["xterm, 6.12.0", "xterm, 6.13.0"]) and
		(.sweep_lines.series[0].points | map(.x) == [-10, 0])' out
	campaign d shift=5 new=6.14.0
	compares 1 c/base c/new d/new --json
	jq -e '.sections.charts.charts.trend_lines | .kind == "trend" and
		(.series[0].points | map(.x) == ["6.12.0", "6.13.0", "6.14.0"]) and
		(.series[0].points[0] | .low <= .y and .y <= .high and .label == "6 boots")' out
	compares 1 c/base c/new d/new --format=html
	grep -q '<p class="verdict">regression</p>' out
}

@test "csv holds the value of each boot in each cell" {
	campaign c shift=-10
	compares 1 c/base c/new --format=csv
	python3 - <<-'EOF'
	import csv
	rows = [r for r in csv.DictReader(open("out", newline=""), strict=True) if r["metric"] == "lines"]
	assert {r["label"] for r in rows} == {"6.12.0", "6.13.0"}
	assert len({(r["run"], r["load"], r["x_nice"]) for r in rows}) == len(rows) == 2 * 6 * 2, len(rows)
	assert all(float(r["value"]) > 0 and r["status"] == "boot" for r in rows)
	EOF
}
