# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the log of `ctest -V`. Prints the output of every test that failed, one line per
# skip with its reason, and last: PASSED FAILED SKIPPED, counted by single check (a cmocka
# function, a bats or house test), or as one where a program reports none.

# A line of test N's output is "N: text".
match($0, /^[0-9]+: /) {
	n = substr($0, 1, RLENGTH - 2) + 0
	line = substr($0, RLENGTH + 1)
	output[n] = output[n] line "\n"
	read_line(n, line)
	if (line != "")
		before[n] = line
	next
}

# ctest's verdict: "3/9 Test #3: name ....***Failed  0.01 sec".
match($0, /Test +#[0-9]+: /) && / sec *$/ {
	n = substr($0, RSTART, RLENGTH)
	gsub(/[^0-9]/, "", n)
	n += 0
	name = substr($0, RSTART + RLENGTH)
	sub(/[ .*].*/, "", name)
	judge(n, name, $0)
}

function read_line(n, line)
{
	if (line ~ /^\[ RUN  /)
		running[n] = 1
	else if (running[n] && line ~ /^\[ +OK \]/)
		seen_pass(n)
	else if (running[n] && line ~ /^\[  SKIPPED \]/)
		seen_skip(n, substr(line, 14), before[n])
	else if (running[n] && line ~ /^\[  (FAILED |ERROR  ) \]/)
		seen_fail(n)
	else if (line ~ /^ok [0-9]+ .*# skip/)
		seen_skip(n, substr(line, 1, index(line, "# skip") - 2), substr(line, index(line, "# skip") + 2))
	else if (line ~ /^ok [0-9]+ /)
		seen_pass(n)
	else if (line ~ /^not ok [0-9]+/)
		seen_fail(n)
}

function seen_pass(n) { running[n] = 0; any[n] = 1; passed++ }
function seen_fail(n) { running[n] = 0; any[n] = 1; failing[n] = 1; failed++ }
function seen_skip(n, what, why)
{
	running[n] = 0
	any[n] = 1
	skipped++
	sub(/^ok [0-9]+ (- )?/, "", what)
	sub(/^[Ss][Kk][Ii][Pp](ped)?[: ]*/, "", why)
	if (why ~ /^(\[|\(?$)/)
		why = "no reason given"
	skips[++n_skips] = what " (" why ")"
}

function judge(n, name, line)
{
	if (line ~ /\*\*\*Skipped/) {
		if (!any[n])
			seen_skip(n, name, before[n])
	} else if (line ~ /\*\*\*/) {
		if (!failing[n])
			failed++
		printf "---- %s: failed\n%s", name, output[n]
	} else if (!any[n])
		passed++
}

END {
	for (i = 1; i <= n_skips; i++)
		print "skipped: " skips[i]
	print passed + 0, failed + 0, skipped + 0
}
