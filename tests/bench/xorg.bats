# SPDX-License-Identifier: GPL-2.0-or-later
# The main job on a private Xorg with the dummy driver, with both clients: what the record
# and the report must hold, whatever the speed of the machine.

setup_file() {
	export XDG_DATA_HOME=$BATS_FILE_TMPDIR/data XDG_STATE_HOME=$BATS_FILE_TMPDIR/state
	export TMPDIR=$BATS_FILE_TMPDIR run_dir=$BATS_FILE_TMPDIR/run
	unset DISPLAY
	[ -x /usr/lib/xorg/Xorg ] || skip "Xorg is not installed"
	command -v xterm >/dev/null || skip "xterm is not installed"
	command -v jq >/dev/null || skip "jq is not installed"
	status=0
	"$XCS_BIN/xcsbench" run a-four-xterm-flood --server=xorg-dummy --one-cpu --quick --quiet \
		--x-nice=0,10 --max-foreign=100 --output="$run_dir" \
		>"$BATS_FILE_TMPDIR/report" 2>"$BATS_FILE_TMPDIR/said" || status=$?
	echo "$status" >"$BATS_FILE_TMPDIR/status"
}

# holds FILTER: true of run.json.
holds() {
	jq -e "$1" "$run_dir/run.json" >/dev/null || {
		jq -c "${2:-.trials[]}" "$run_dir/run.json"
		return 1
	}
}

@test "the run is complete; status 3 only where renice can have no effect" {
	cat "$BATS_FILE_TMPDIR/said"
	local status
	status=$(cat "$BATS_FILE_TMPDIR/status")
	holds '.status == "complete"' .status_reason
	if [ "$status" -ne 0 ]; then
		[ "$status" -eq 3 ]
		holds '.probe.verdict != "effective"' .probe
	fi
}

@test "every window lay inside the screen and drew" {
	holds '[.trials[].windows | length] | all(. == 4)'
	holds '[.trials[].windows[] | .inside and .drew] | all'
}

@test "the server had the nice level of its cell, before and after" {
	[ "$(id -u)" -eq 0 ] || skip "an ordinary user cannot renice back"
	holds '.cells as $c | [.trials[] | $c[.cell].x_nice as $n |
		.server_nice_before == $n and .server_nice_after == $n] | all'
}

@test "what the feeders wrote was confirmed by the terminals" {
	holds '[.trials[] | .lines_written > 0 and .lines_confirmed == .lines_written] | all'
}

@test "the report has the figures, in text and as data" {
	local json=$BATS_FILE_TMPDIR/report.json
	"$XCS_BIN/xcsbench" report "$run_dir" --json >"$json"
	jq -e '.sections.switches.tables.switches.rows |
		length == 4 and all(.cs.median > 0 and .cs_task.median > 0)' \
		"$json" >/dev/null || {
		jq -c .sections.switches "$json"
		return 1
	}
	for table in Switches "Switches of the X server" "CPU by execution time" Throughput; do
		sed -n "/^$table\$/,/^\$/p" "$BATS_FILE_TMPDIR/report" >"$BATS_FILE_TMPDIR/table"
		cat "$BATS_FILE_TMPDIR/table"
		[ "$(grep -cE '^(xterm|flood) +(0|10) +1 +[0-9]' "$BATS_FILE_TMPDIR/table")" -eq 4 ]
	done
}

@test "no line of the report is over 72 columns" {
	[ -z "$(grep -E '^.{73,}' "$BATS_FILE_TMPDIR/report")" ]
	! LC_ALL=C grep -P '[^\x00-\x7f]' "$BATS_FILE_TMPDIR/report"
}
