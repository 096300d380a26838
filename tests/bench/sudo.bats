# SPDX-License-Identifier: GPL-2.0-or-later
# sudo xcsbench run, by a user of this machine on a server of his own. The account, its rule and
# its home are there for this test's processes alone.

bats_require_minimum_version 1.5.0
load runs

user=xcsuser uid=54321 gid=54322

setup() {
	[ "$(id -u)" -eq 0 ] || skip "needs root to make an account"
	for need in sudo xauth unshare; do command -v "$need" >/dev/null || skip "needs $need"; done
	[ -d /etc/sudoers.d ] || skip "needs /etc/sudoers.d"
	home=$(mktemp -d)
	set_up_runs
	chmod 755 "$home"
	cp -r "$XCS_BIN/../bin" "$XCS_BIN/../libexec" "$XCS_BIN/../share" "$home/"
	mkdir "$home/user" "$home/sudoers.d"
	chown "$uid:$gid" "$home/user"
	echo "$user ALL=(root) NOPASSWD: $home/bin/xcsbench, /bin/true" >"$home/sudoers.d/$user"
	chmod 440 "$home/sudoers.d/$user"
	make_account
	as_user sudo -n /bin/true || skip "sudo of this machine takes no account of ours"
}

teardown() {
	[ -z "${runner:-}" ] || kill "$runner" 2>/dev/null || true
	[ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
	[ -z "${home:-}" ] || rm -rf "$home"
}

make_account() {
	local file
	for file in passwd group shadow; do cp -p "/etc/$file" "$home/$file"; done
	echo "$user:x:$uid:$gid::$home/user:/bin/sh" >>"$home/passwd"
	echo "$user:x:$gid:" >>"$home/group"
	echo "$user:*:19000:0:99999:7:::" >>"$home/shadow"
}

# become COMMAND...: this shell becomes that command of the user's, in a mount namespace that
# knows him
become() {
	exec unshare --mount bash -c 'cd / && for file in passwd group shadow sudoers.d; do
		mount --bind "$0/$file" "/etc/$file" || exit; done
		uid=$1 gid=$2; shift 2
		exec setpriv --reuid="$uid" --regid="$gid" --init-groups "$@"' \
		"$home" "$uid" "$gid" env -u XDG_DATA_HOME -u XDG_STATE_HOME HOME="$home/user" \
		TMPDIR=/tmp USER="$user" PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

as_user() { (become "$@"); }

# The server with its cookie, and the run on it. sudo relays no signal of its own group.
start_session() {
	local cookies=$home/user/cookies fifo=$BATS_TEST_TMPDIR/number
	mkfifo "$fifo" "$BATS_TEST_TMPDIR/never"
	as_user xauth -q -f "$cookies" add :0 . 00112233445566778899aabbccddeeff
	become Xvfb -displayfd 5 -nolisten tcp -auth "$cookies" 5<>"$fifo" >/dev/null 2>&1 3>&- &
	server=$!
	read -rt 20 number <"$fifo"
	as_user xauth -q -f "$cookies" add ":$number" . 00112233445566778899aabbccddeeff
	become env DISPLAY=":$number" XAUTHORITY="$cookies" setsid \
		sudo -n "$home/bin/xcsbench" run a-four-xterm-flood --server=session --load=flood \
		--x-nice=-10 --quick --sample=5s --max-foreign=100 >"$log" 2>&1 3>&- &
	runner=$!
}

descendants() {
	local pid
	for pid in $(pgrep -P "$1"); do
		echo "$pid"
		descendants "$pid"
	done
}

# Names, uids and gids of the run's processes but for those that are to be root's.
loads() {
	local pid
	for pid in $(descendants "$runner"); do
		awk '/^Name:/ { name = $2 } /^[UG]id:/ { ids = ids " " $2 ":" $3 ":" $4 ":" $5 }
			END { if (name !~ /^(sudo|xcsbench|xcs-run|xcs-guard|xcs-sample)$/) print name ids }' \
			"/proc/$pid/status" 2>/dev/null || true
	done
}

nice_of() { awk '{ sub(/.*\) /, ""); print $17 }' "/proc/$1/stat"; }

has_a_trial() { [ -n "$(find "$home/user" -name '*.xcs' -size +0)" ]; }
has_loads() { loads | grep -q '^xcs-feed'; }
server_is_at() { [ "$(nice_of "$server")" -eq "$1" ]; }

@test "loads run as the user, who owns every file, and Ctrl-C leaves nothing of root's" {
	start_session
	until_true has_loads
	until_true server_is_at -10
	loads | sort | uniq -c
	[ -z "$(loads | grep -vx "[^ ]* $uid:$uid:$uid:$uid $gid:$gid:$gid:$gid")" ]
	until_true has_a_trial
	kill -INT "$runner"
	end_run
	[ "$status" -eq 130 ]
	server_is_at 0
	find "$home/user" -printf '%u:%g %p\n'
	[ -n "$(find "$home/user" -name run.json)" ]
	[ -z "$(find "$home/user" \( ! -uid "$uid" -o ! -gid "$gid" \))" ]
	[ -z "$(grep -rlsa -- "$home" /var/lib/xcsbench/undo)" ]
}
