# SPDX-License-Identifier: GPL-2.0-or-later
# rtkit on a system bus of this test's own, where a rule of polkit lets nobody, and nobody else,
# have what a user of the desktop may have.

setup() {
	[ "$(id -u)" -eq 0 ] || skip "needs root to start rtkit"
	rtkitd=/usr/libexec/rtkit-daemon polkitd=/usr/lib/polkit-1/polkitd
	for need in Xvfb busctl dbus-daemon "$rtkitd" "$polkitd"; do
		command -v "$need" >/dev/null || skip "needs $need"
	done
	[ -d /etc/polkit-1/rules.d ] || skip "needs /etc/polkit-1/rules.d"
	home=$(mktemp -d)
	chmod 755 "$home"
	cp -r "$XCS_BIN/../bin" "$XCS_BIN/../libexec" "$XCS_BIN/../share" "$home/"
	mkdir "$home/rules.d" "$home/nobody" "$home/daemon"
	chown nobody "$home/nobody"
	chown daemon "$home/daemon"
	export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$home/bus
	daemons=()
	start_bus
}

teardown() {
	[ -z "${daemons[*]:-}" ] || kill "${daemons[@]}" 2>/dev/null || true
	[ -z "${home:-}" ] || rm -rf "$home"
}

# start COMMAND...: rtkit may write no file, so none is its output
start() {
	"$@" </dev/null >/dev/null 2>&1 3>&- &
	daemons+=("$!")
}

# until_true COMMAND...: looks again, at most 10 s
until_true() {
	for _ in $(seq 200); do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.05
	done
	echo "never became true: $*"
	return 1
}

has_name() { busctl --system list --acquired --no-pager | grep -q "^$1 "; }

start_bus() {
	cat >"$home/bus.conf" <<-END
		<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
			"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
		<busconfig>
			<listen>$DBUS_SYSTEM_BUS_ADDRESS</listen>
			<auth>EXTERNAL</auth>
			<policy context="default">
				<allow user="*"/> <allow own="*"/>
				<allow send_destination="*"/> <allow receive_sender="*"/>
			</policy>
		</busconfig>
	END
	cat >"$home/rules.d/10.rules" <<-END
		polkit.addRule(function (action, subject) {
			if (action.id == "org.freedesktop.RealtimeKit1.acquire-high-priority")
				return subject.user == "nobody" ? polkit.Result.YES : polkit.Result.NO;
		});
	END
	start dbus-daemon --config-file="$home/bus.conf" --nofork --nopidfile
	until_true test -S "$home/bus"
	start unshare --mount sh -c 'mount --bind "$0" /etc/polkit-1/rules.d && exec "$@"' \
		"$home/rules.d" "$polkitd"
	until_true has_name org.freedesktop.PolicyKit1
	start "$rtkitd"
	until_true has_name org.freedesktop.RealtimeKit1
}

# as USER COMMAND...
as() {
	local user=$1
	shift
	setpriv --reuid="$user" --regid=nogroup --clear-groups env -u XDG_DATA_HOME -u XDG_STATE_HOME \
		-u DISPLAY HOME="$home/$user" TMPDIR="$home/$user" "$@"
}

# plan USER OPTION...: the plan of such a run names its mode
plan() {
	local user=$1
	shift
	run as "$user" "$home/bin/xcsbench" run a-four-xterm-flood --load=flood --dry-run "$@"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "rtkit moves a server of the run's own, down to where it reaches" {
	run as nobody "$home/bin/xcsbench" doctor --server=xvfb
	echo "$output"
	[[ $output == *"rights      by rtkit the server went to nice -15 and back, and no lower"* ]]
	plan nobody --server=xvfb --x-nice=0,-15
	[[ $output == *", absolute"* ]]
	plan nobody --server=xvfb --x-nice=0,-16
	[[ $output == *", relative"* ]]
}

@test "rtkit is not asked for the session's server, and a refusal is no right" {
	plan nobody --server=session --x-nice=0,-10
	[[ $output == *", relative"* ]]
	plan daemon --server=xvfb --x-nice=0,-10
	[[ $output == *", relative"* ]]
}
