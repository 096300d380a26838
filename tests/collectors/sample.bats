#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
bats_require_minimum_version 1.5.0
# xcs-sample on saved trees and on the machine at hand.

setup() {
	sample=$XCS_LIBEXEC/xcs-sample
	data=$XCS_SOURCE/tests/data/proc
	tree=$BATS_TEST_TMPDIR
}

# field JQ_EXPRESSION: of the last output. jq 1.7 keeps 3.000 as it was written unless it
# has to calculate with it.
field() { jq -r "$1 | if type == \"number\" then . + 0 else . end" <<<"$output"; }

@test "help says xcsbench sample" {
	run "$sample" --help
	[ "$status" -eq 0 ]
	[[ $output == "Usage: xcsbench sample"* ]]
}

@test "a kernel with sched is read from sched" {
	mkdir -p "$tree/4711" && cp "$data/6.6/sched" "$tree/4711/"
	run "$sample" --proc-root "$tree" --pid 4711 --once --json
	[ "$status" -eq 0 ]
	[ "$(field '.processes[0].total.nr_switches')" = 9001 ]
	[ "$(field '.processes[0].threads[0].source')" = sched ]
	[ "$(field '.processes[0].total.run_delay_ns')" = null ]
	[ "$(field '.system.ctxt')" = null ]
}

@test "schedulers without sched are read from status and schedstat" {
	for era in muqss bmq; do
		mkdir -p "$tree/$era/4711/task/4711" "$tree/$era/4711/task/4712"
		cp "$data/$era"/* "$tree/$era/4711/task/4711/"
		cp "$data/$era"/* "$tree/$era/4711/task/4712/"
		run "$sample" --proc-root "$tree/$era" --pid 4711 --once --json
		[ "$status" -eq 0 ]
		[ "$(field '.processes[0].total.nr_switches')" = 18002 ]
		[ "$(field '.processes[0].total.migrations')" = null ]
		[ "$(field '.processes[0].total.timeslices')" = 18006 ]
		[ "$(field '.processes[0].threads[1].source')" = status ]
		[[ $(field '.events[]') == *"status"* ]]
	done
}

@test "two trees give differences and rates" {
	mkdir -p "$tree/a" "$tree/b"
	cp "$data/stat-2.6.11" "$tree/a/stat"
	sed -e 's/^\(cpu0\{0,1\} *\)100 20 30 4000/\1400 20 130 4600/' -e 's/ctxt 60006/ctxt 3000060006/' \
		"$data/stat-2.6.11" >"$tree/b/stat"
	run "$sample" --proc-root "$tree/a" --then "$tree/b" --interval-s 10 --json
	[ "$status" -eq 0 ]
	[ "$(field '.system.rates.ctxt')" = 300000000 ]
	[ "$(field '.system.pct.user')" = 30 ]
	[ "$(field '.system.pct.steal')" = 0 ]
	[ "$(field '.system.pct.guest')" = null ]
	ticked=$(field .ticked_s) total=$(field .system.delta.total_ticks) cpus=$(field '.system.cpus | length')
	[ "$ticked" = "$(jq -n "$total / 100 / $cpus")" ]
	run "$sample" --proc-root "$tree/a" --then "$tree/b" --interval-s 10 --ticks-per-s 50 --json
	[ "$(field .ticks_per_s)" = 50 ]
	[ "$(field .ticked_s)" = "$(jq -n "$ticked * 2")" ]
}

@test "a process that is gone in the second tree is an event" {
	mkdir -p "$tree/a/4711" "$tree/b" && cp "$data/6.6/sched" "$tree/a/4711/"
	run "$sample" --proc-root "$tree/a" --then "$tree/b" --interval-s 1 --pid 4711 --json
	[ "$status" -eq 0 ]
	[[ $(field '.events[]') == *"process 4711 ended"* ]]
	[ "$(field '.processes[0].delta.nr_switches')" = null ]
}

@test "names that are no UTF-8 are marked as bytes" {
	mkdir -p "$tree/4711"
	sed '1s/crow/cr\xf6w/' "$data/6.6/sched" >"$tree/4711/sched"
	run "$sample" --proc-root "$tree" --pid 4711 --once --json
	[ "$status" -eq 0 ]
	[ "$(field '.processes[0].comm')" = "cröw" ]
	[ "$(field '.processes[0].comm_is_bytes')" = true ]
}

@test "live text, JSON and CSV" {
	run --separate-stderr "$sample" -i 10ms -n 2 -p $$
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == *" cs "*" us "*" st"* && ${lines[1]} == *pid*vcs*ics* ]]
	[ "${#lines[@]}" -eq 6 ]
	run --separate-stderr "$sample" -i 10ms -n 2 -p $$ --json
	[ "$(jq -s 'length' <<<"$output")" = 3 ]
	[ "$(jq -s '.[1].processes[0].pid' <<<"$output")" = $$ ]
	[ "$(jq -s '.[0].system.us' <<<"$output")" = null ]
	run --separate-stderr "$sample" -i 10ms -n 2 --csv
	[ "${#lines[@]}" -eq 3 ]
	[ "$(tr -cd , <<<"${lines[0]}")" = "$(tr -cd , <<<"${lines[2]}")" ]
}

@test "cs and in are also given net of the sampler" {
	run --separate-stderr "$sample" -i 20ms -n 3 --json
	[ "$status" -eq 0 ]
	# A timer interrupt per interval; two switches per switch of its own.
	jq -es '[.[] | select(.system) | .system |
		((.in - .in_net) * .interval_s - 1 | fabs) < 0.01 and
		((.cs - .cs_net) - 2 * .observer_cs | fabs) < 0.01] | length == 3 and all' <<<"$output"
	run --separate-stderr "$sample" -i 20ms -n 1
	[[ ${lines[0]} == *" cs   cs-net "*" in  in-net "* ]]
	run --separate-stderr "$sample" -i 20ms -n 1 --csv
	[[ ${lines[0]} == *,cs,cs_net,*,in,in_net,* ]]
}

@test "it tells at its end what it has cost and how late it was" {
	run --separate-stderr "$sample" -i 5ms -n 4
	[ "$status" -eq 0 ]
	[[ ${stderr_lines[-1]} == *"own CPU time "*" ms ("*" % of a CPU), own switches "* ]]
	[[ ${stderr_lines[-1]} == *"late p50 "*" us, p99 n/a (needs 1000 samples), max "*"; missed "* ]]
	run --separate-stderr "$sample" -i 1ms -n 1000 --json
	[ "$status" -eq 0 ] && [ -z "$stderr" ]
	jq -es 'last.observer | .samples == 1000 and .cpu_ms > 0 and .switches >= 900 and
		.late_p50_us <= .late_p99_us and .late_p99_us <= .late_max_us and .missed >= 0' <<<"$output"
}

@test "a held recording waits for the go and is ended by SIGTERM" {
	mkfifo "$tree/go"
	"$sample" --record "$tree/t.xcs" --hold --watch server=$$ -i 10ms <"$tree/go" >"$tree/out" 2>"$tree/err" &
	pid=$!
	exec 7>"$tree/go"
	until grep -q '^ready$' "$tree/out"; do kill -0 $pid; done
	[ ! -e "$tree/t.xcs" ]
	echo go >&7
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 7>&-
	# The signal may come before the go was read: then nothing is written, as it must be.
	[ "$status" -eq 130 ]
	if [ -e "$tree/t.xcs" ]; then
		head -n 1 "$tree/t.xcs" | grep -qx 'xcsbench.trial/1'
		grep -q 'ended by a signal' "$tree/err"
	else
		grep -q 'before the go' "$tree/err"
	fi
}

@test "a full disk is one sentence" {
	run --separate-stderr "$sample" --record /dev/full/t.xcs -i 10ms -n 1
	[ "$status" -eq 2 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run --separate-stderr bash -c "'$sample' -i 10ms -n 1 >/dev/full"
	[ "$status" -eq 2 ]
	[[ ${stderr_lines[*]} == *"standard output"* ]]
}

@test "bad input is one sentence and exit 2" {
	for args in "--then x" "--watch a=1" "--proc-root /nonexistent --once" "-p 0" "--json --csv" \
		"--record t --watch a=b" "--record t --page x=/nonexistent" "-i 0" \
		"--cgroup no/such/cgroup -n 1" "--once -p 2147483647" "stray"; do
		run --separate-stderr "$sample" $args
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
}
