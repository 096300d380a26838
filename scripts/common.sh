# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What scripts/check and scripts/quickstart share. Sourced, never run.

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
	say "$*"
	exit 2
}

is_installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Prints the first of the names that this distribution has.
known_package() {
	local name
	for name; do
		if [ -n "$(apt-cache madison "$name" 2>/dev/null)" ]; then
			printf '%s\n' "$name"
			return
		fi
	done
	printf '%s\n' "$1"
}

# Prints the packages of these groups that are not there, one alternative list a line.
missing_packages() {
	local group names name
	while read -r group names; do
		case " $* " in *" $group "*) ;; *) continue ;; esac
		for name in $names; do
			is_installed "$name" && continue 2
		done
		printf '%s\n' "$names"
	done < <(grep -v '^#' "$source_dir/scripts/packages")
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# Under sudo, building as root would leave files that the user cannot remove.
as_user() {
	if [ "$(id -u)" -eq 0 ] && [ "${SUDO_USER:-root}" != root ]; then
		runuser -u "$SUDO_USER" -- "$@"
	else
		"$@"
	fi
}

# After root has written into the build folder of a user.
give_back_build() {
	if [ "$(id -u)" -eq 0 ] && [ "${SUDO_USER:-root}" != root ]; then
		chown -R "$SUDO_USER:" "$source_dir/build"
	fi
}

# install_packages GROUP...: installs what is missing and nothing else, so that a second
# run needs neither network nor rights.
install_packages() {
	local missing wanted=() names
	command -v dpkg-query >/dev/null || {
		say "this is no Debian; install what scripts/packages lists by hand"
		return
	}
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		die "packages are missing and there is no sudo; as root: apt-get install ${missing//$'\n'/ }"
	fi
	as_root apt-get update -qq || say "apt-get update failed; going on with the lists at hand"
	while read -r names; do
		# shellcheck disable=SC2086 # a list of words
		wanted+=("$(known_package $names)")
	done <<<"$missing"
	say "installing ${wanted[*]}"
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends "${wanted[@]}" >&2 </dev/null ||
		die "apt-get install failed; see above"
}

# build_preset NAME: configures and builds in build/NAME; quiet unless it fails.
build_preset() {
	local log=$source_dir/build/$1.log started=$SECONDS
	as_user mkdir -p "$source_dir/build"
	rm -f "$log" # a run under sudo may have left it to root
	if ! (cd "$source_dir" && as_user cmake --preset "$1" && as_user cmake --build --preset "$1") \
		>"$log" 2>&1; then
		grep -A 4 -m 12 -E 'error|FAILED|CMake Error|undefined reference' "$log" >&2 ||
			tail -n 40 "$log" >&2
		die "the $1 build failed; all of it is in $log"
	fi
	say "built preset $1 in $((SECONDS - started)) s"
}
