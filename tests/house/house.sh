# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the house checks share. A check prints one line per finding, says how much it looked
# at, and fails when there was a finding or when it found nothing to look at.
# Its environment: XCS_SOURCE, XCS_BUILD (and XCS_BIN, XCS_LIBEXEC where programs are run).

cd "${XCS_SOURCE:?}" || exit 2
n_findings=0 n_checked=0

rooms="common record collectors xclient-stress bench reports"

finding() {
	printf '%s\n' "$*"
	n_findings=$((n_findings + 1))
}

# All files of the project: what git tracks or would, else (a tarball) what is there.
all_files() {
	if ! git ls-files --cached --others --exclude-standard 2>/dev/null; then
		find . -name .git -prune -o -name 'build*' -type d -prune -o -type f -print | sed 's|^\./||'
	fi | while read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done
}

# Sources of the product: C files in its rooms, without tests.
product_files() {
	all_files | grep -E "^(${rooms// /|})/.*\.[ch]$"
}

# skip WHY...: reports the whole check as skipped.
skip() {
	printf 'ok 1 - %s # skip %s\n' "$check" "$*"
	exit 0
}

# finish WHAT: the verdict line, as TAP.
finish() {
	[ "$n_checked" -gt 0 ] || finding "$check: nothing to check"
	printf '%s: %d %s checked, %d findings\n' "$check" "$n_checked" "$1" "$n_findings"
	if [ "$n_findings" -eq 0 ]; then
		printf 'ok 1 - %s\n' "$check"
	else
		printf 'not ok 1 - %s\n' "$check"
	fi
	[ "$n_findings" -eq 0 ]
	exit
}

check=$(basename "$0")
