# SPDX-License-Identifier: GPL-2.0-or-later
# Other terminals than xterm, for real, on Xvfb and on Xorg with the dummy driver.

setup() {
	export XDG_DATA_HOME=$BATS_TEST_TMPDIR/data XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	export TMPDIR=$BATS_TEST_TMPDIR run_dir=$BATS_TEST_TMPDIR/run
	unset DISPLAY
	command -v jq >/dev/null || skip "jq is not installed"
}

needs() { # PROGRAM
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# flood SERVER TERMINAL ARG...: a short run; keeps what it said, and its status.
flood() {
	local server=$1 terminal=$2
	shift 2
	status=0
	"$XCS_BIN/xcsbench" run a-four-xterm-flood --server="$server" --one-cpu --quick --quiet \
		--load=xterm --x-nice=0 --max-foreign=100 --output="$run_dir" \
		--terminal="$terminal" "$@" >"$BATS_TEST_TMPDIR/report" 2>"$BATS_TEST_TMPDIR/said" ||
		status=$?
	echo "exit $status: $(cat "$BATS_TEST_TMPDIR/said")"
}

# holds FILTER: true of run.json.
holds() {
	jq -e "$1" "$run_dir/run.json" >/dev/null || {
		jq -c '.notes, .trials[]' "$run_dir/run.json"
		return 1
	}
}

# The record of a good run with that terminal in the place of four xterms.
is_whole() { # NAME
	[ "$status" -eq 0 ]
	holds '.status == "complete"'
	holds '.loads[0] | .id == "xterm" and .kind == "terminal"'
	holds ".notes | any(startswith(\"Load 'xterm' is drawn by $1 (\"))"
	holds '[.trials[-1].windows[] | .inside and .drew] | length == 4 and all'
	holds '[.trials[-1].windows[] | [.x_px, .y_px]] | unique | length == 4'
	holds '.trials[-1] | .lines_written > 0 and .lines_confirmed == .lines_written'
	grep -q "^- xterm: $1 " "$BATS_TEST_TMPDIR/report"
	nobody_is_left
}

nobody_is_left() {
	! grep -lsa -- "$BATS_TEST_TMPDIR" /proc/[0-9]*/cmdline
}

# The bytes that the terminals read, against the lines that the feeders wrote.
lines_agree() {
	"$XCS_BIN/xcsbench" report "$run_dir" --json | jq -e '
		.sections.checks.tables.lines.rows[0] |
		.lines_read / .lines_fed | . > 0.9 and . < 1.1' >/dev/null || {
		"$XCS_BIN/xcsbench" report "$run_dir" --json | jq -c .sections.checks
		return 1
	}
}

@test "terminals: urxvt on Xvfb" {
	needs Xvfb
	needs urxvt
	flood xvfb urxvt
	is_whole urxvt
	lines_agree
}

@test "terminals: st on Xvfb" {
	needs Xvfb
	needs st
	flood xvfb st
	is_whole st
	lines_agree
}

@test "terminals: urxvt on Xorg with the dummy driver, line by line" {
	[ -x /usr/lib/xorg/Xorg ] || skip "Xorg is not installed"
	needs urxvt
	flood xorg-dummy urxvt --scroll=line
	is_whole urxvt
	lines_agree
}

@test "terminals: st on Xorg with the dummy driver" {
	[ -x /usr/lib/xorg/Xorg ] || skip "Xorg is not installed"
	needs st
	flood xorg-dummy st
	is_whole st
	lines_agree
}

@test "terminals: behind a wrapper it is the terminal that is watched" {
	needs Xvfb
	needs xterm
	printf '#!/bin/sh\n"$@" &\nwait\n' >"$BATS_TEST_TMPDIR/wrapper"
	chmod +x "$BATS_TEST_TMPDIR/wrapper"
	flood xvfb "$BATS_TEST_TMPDIR/wrapper xterm -title {name} {geometry} -e {command}" \
		--clients=1
	[ "$status" -eq 0 ]
	holds '.trials[-1].lines_confirmed > 0'
	lines_agree # of the wrapper, rchar would be next to nothing
	nobody_is_left
}

@test "terminals: one that hands its window to a server that runs already is refused" {
	needs Xvfb
	needs xterm
	mkfifo "$BATS_TEST_TMPDIR/jobs"
	# A server in a session of its own, to which the "terminal" sends its command line.
	setsid sh -c "while read -r line; do eval \"\$line &\"; done <>'$BATS_TEST_TMPDIR/jobs'" \
		3>&- >/dev/null 2>&1 &
	local server=$!
	cat >"$BATS_TEST_TMPDIR/client" <<-CLIENT
		#!/bin/sh
		echo "DISPLAY=\$DISPLAY XAUTHORITY=\$XAUTHORITY xterm -title \$1 -e \$2" \\
			>"$BATS_TEST_TMPDIR/jobs"
		exec sleep 100
	CLIENT
	chmod +x "$BATS_TEST_TMPDIR/client"
	flood xvfb "$BATS_TEST_TMPDIR/client {name} {command_string}" --clients=1
	kill "$server" || true
	[ "$status" -eq 2 ]
	grep -q "client0 is drawn by process [0-9]* (xterm), which it did not start" \
		"$BATS_TEST_TMPDIR/said"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/said")" -eq 1 ]
}

@test "terminals: windows that cover each other void the trial" {
	needs Xvfb
	needs xterm
	# Its window is named by neither title nor place; the second look finds it where it went.
	flood xvfb "xterm -title {name} -geometry 200x60 -e {command}" --clients=2
	[ "$status" -eq 3 ]
	holds '.trials | any(.status == "void" and (.reason | test("cover each other|outside")))'
	holds '.notes | any(test("has 200x60 characters where 80x2 were asked for"))'
}

@test "terminals: list tells what is installed and what is not" {
	needs urxvt
	run "$XCS_BIN/xcsbench" list terminals
	[ "$status" -eq 0 ]
	[[ $output == *"/urxvt"* && $output == *"rxvt-unicode (urxvt) v"* ]]
	[ -z "$(grep -E '^.{73,}|[[:blank:]]$' <<<"$output")" ]
	mkdir "$BATS_TEST_TMPDIR/bin"
	PATH=$BATS_TEST_TMPDIR/bin run "$XCS_BIN/xcsbench" list terminals
	[ "$status" -eq 0 ]
	[[ $output == *"not installed (package rxvt-unicode)"* ]]
	"$XCS_BIN/xcsbench" list terminals --json | jq -e '
		length == 9 and (.[] | select(.name == "urxvt") | .installed and
		(.version | startswith("rxvt-unicode"))) and
		(.[] | select(.name == "foot") | .refused != null)'
}

@test "terminals: a template that cannot work is refused before anything is started" {
	local words rc said
	for words in "urxvt -e" "urxvt {geom} -e {command}" "urxvt 'x {command}" foot \
		"no-such-terminal -e {command}"; do
		rc=0
		said=$("$XCS_BIN/xcsbench" run a-four-xterm-flood --terminal="$words" 2>&1) || rc=$?
		echo "$words: $rc $said"
		[ "$rc" -eq 2 ]
		[[ $said == "xcsbench run: --terminal: "* ]]
		[ "$(wc -l <<<"$said")" -eq 1 ]
	done
}
