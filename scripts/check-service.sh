#!/bin/bash
# Tests the installed service under a real systemd: install into a running system, start, watchdog, kill, stop,
# uninstall. Takes a minute, most of it for the watchdog; the time limit is five minutes. Needs root;
# scripts/with-systemd.sh lists the other requirements.
#   check-service.sh BUILT TOOLSET PROGRAM...
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD

if [ "${1-}" != --in-service ]; then
  command -v python3 >/dev/null || { echo "check-service: skipped, there is no python3 here"; exit 0; }
  exec scripts/with-systemd.sh check-service / "$project/scripts/check-service.sh" --in-service "$@"
fi
shift

# In the running system.
fail() {
  echo "check-service: $1"
  journalctl --no-pager --quiet --boot --lines=30 --unit=binnacled --unit=receiver 2>/dev/null || true
  tail -n 3 /run/check/fixes /run/check/fixes.errors 2>/dev/null || true
  binnacle apps 2>/dev/null || true
  exit 1
}
say() { echo "check-service: $1"; }
value() { systemctl show --value --property="$1" binnacled; }
# wait_for SECONDS WHAT COMMAND...
wait_for() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "not within the time: $what"
    sleep 0.2
  done
}

# ---- Install
cd "$project"
DESTDIR='' PREFIX=/usr scripts/install.sh "$@" >/run/check/install.log 2>&1 ||
  { cat /run/check/install.log; fail "installing into a running system failed"; }
unit=$(value FragmentPath)
sed 's|@PREFIX@|/usr|g' systemd/binnacled.service | cmp -s - "$unit" || fail "$unit is not the committed one"
sed 's|@PREFIX@|/usr|g' systemd/binnacle-launch.service | cmp -s - /usr/lib/systemd/system/binnacle-launch.service ||
  fail "the launcher's unit is not the committed one"
[ -z "$(value DropInPaths)" ] || fail "the unit has drop-ins: $(value DropInPaths)"
for group in dialout gpio i2c; do
  id -nG binnacle | grep -w $group >/dev/null || fail "the user binnacle is not in the group $group"
done
[ "$(stat -c %U:%a /run/binnacle)" = binnacle:755 ] || fail "/run/binnacle is not there or not its user's"
[ -d /etc/binnacle/boards ] || fail "there is no /etc/binnacle/boards"
[ "$(value ActiveState)" = inactive ] || fail "installing has started it"
say "installed: user, folders, rules and unit are known at once"

# ---- Start
systemd-run --quiet --unit=receiver binnacle-sim receiver --generation m10 --seed 7 --tty /run/gnss
wait_for 10 "the simulated receiver" test -e /run/gnss
chgrp dialout "$(readlink -f /run/gnss)"
chmod 660 "$(readlink -f /run/gnss)"
# The door is for a group, to which the daemon gives the files (chown).
printf '[Door NMEA]\nTerminal=nmea\nSocket=nmea.sock\nGroup=dialout\n' >/etc/binnacle/boards/door.conf
echo 'BINNACLE_OPTIONS=--board door --receiver /run/gnss' >/etc/default/binnacle
systemctl enable --quiet binnacled || fail "it cannot be enabled"
# Returns when the daemon has said READY=1.
systemctl start binnacled || fail "it did not start"
[ "$(value ActiveState)/$(value SubState)" = active/running ] || fail "it is $(value ActiveState)"
process=$(value MainPID)
status=$(cat "/proc/$process/status")
for line in "CapEff:	0000000000000000" "CapBnd:	0000000000000000" "NoNewPrivs:	1" "Seccomp:	2"; do
  grep -q -x "$line" <<<"$status" || fail "its process has no '$line'"
done
[ "$(stat -c %U "/proc/$process")" = binnacle ] || fail "it does not run as binnacle"
[ "$(stat -c %U:%a /var/lib/binnacle)" = binnacle:700 ] || fail "/var/lib/binnacle is not its user's alone"
# is_shared FILE: dialout may use it.
is_shared() { [ "$(stat --dereference -c %G:%a "$1" 2>/dev/null)" = dialout:660 ]; }
for file in nmea.sock nmea; do
  wait_for 10 "/run/binnacle/$file of the door for the group dialout" is_shared /run/binnacle/$file
done
[ "$(value ActiveState)/$(value NRestarts)/$(value MainPID)" = "active/0/$process" ] || fail "the door has ended it"
say "started: ready, '$(value StatusText)', as binnacle without capabilities"

binnacle watch --operator --json >/run/check/fixes 2>/run/check/fixes.errors &
fixes() { grep -c '"latitude"' /run/check/fixes || true; }
has_more() { [ "$(fixes)" -gt "$had" ]; }
had=0
wait_for 30 "a position for a program" has_more
answer=$(setpriv --reuid=nobody --regid=nogroup --clear-groups timeout 20 binnacle watch --json --count 1) ||
  fail "another user's program gets no answer"
say "serving: positions for root, '$answer' for a user that nothing was allowed to"

# ---- Apps of other users: the launcher identifies their programs, and a person allows one of them.
mkdir -p /etc/binnacle/apps.d
cat >/etc/binnacle/apps.d/tracker.app <<END
[App]
Identifier=org.example.tracker
Executable=/usr/bin/binnacle
User=nobody
WhenInUseUsageDescription=Records the route of this vehicle.
END
systemctl reload binnacled
# follow USER FILE: an app of this user in a terminal, with its updates in the file.
follow() {
  script --quiet --flush --return --command "setpriv --reuid=$1 --regid=nogroup --clear-groups binnacle watch --json" "$2" \
    >/dev/null </dev/null &
}
apps() { binnacle apps --json; }
is_app() { apps | grep "^{\"id\":\"$1\".*\"state\":\"$2\"" >/dev/null; }
[ "$(systemctl show --value --property=ActiveState binnacle-launch)" = active ] || fail "the launcher was not started with the daemon"
systemctl stop binnacle-launch
follow nobody /run/check/unseen
unseen=$!
wait_for 10 "an app of a user that the daemon cannot see" is_app "65534:unknown executable" foreground
kill "$unseen"
systemctl start binnacle-launch || fail "the launcher did not start"
launcher=$(systemctl show --value --property=MainPID binnacle-launch)
grep -q -x "CapEff:	00000000000800e0" "/proc/$launcher/status" ||
  fail "the launcher has other capabilities than CAP_KILL, CAP_SETGID, CAP_SETUID and CAP_SYS_PTRACE"
[ "$(stat -c %U:%a /run/binnacle/launch.sock)" = binnacle:600 ] || fail "the launcher's socket is open to others"
[ "$(stat -c %U "/proc/$launcher")" = binnacle ] || fail "the launcher does not run as binnacle"
follow nobody /run/check/tracker
tracker=$!
wait_for 10 "an app with a manifest" is_app org.example.tracker foreground
follow games /run/check/other
other=$!
wait_for 10 "an app without a manifest" is_app "5:[^\"]*/usr/bin/binnacle" foreground
binnacle prompts | grep -x -F 'org.example.tracker would like to use your location while it is in use. "Records the route of this vehicle."' >/dev/null ||
  fail "there is no prompt: $(binnacle prompts)"
binnacle allow org.example.tracker || fail "the app cannot be allowed"
was_located() { grep -q '"latitude"' "$1"; }
wait_for 20 "a position for the app" was_located /run/check/tracker
if was_located /run/check/other; then fail "an app that nobody has allowed has a position"; fi
as() { # as USER COMMAND...
  local user=$1
  shift
  setpriv --reuid="$user" --regid=nogroup --clear-groups "$@"
}
as nobody binnacle grants --json | grep '"id":"org.example.tracker"' >/dev/null || fail "a user does not see the answer about its own app"
as games binnacle grants --json | grep org.example.tracker >/dev/null && fail "a user sees the answer about an app of another user"
status=0
as games binnacle allow org.example.tracker >/dev/null 2>&1 || status=$?
[ "$status" = 77 ] || fail "a user may allow an app: status $status"
binnacle deny org.example.tracker || fail "the app cannot be denied"
was_denied() { tail -n 1 /run/check/tracker | grep -q '"authorizationDenied":true'; }
wait_for 10 "the denial of the app" was_denied
kill "$tracker" "$other"
say "apps: $(binnacle grants --json)"

# ---- An app that the launcher starts as its user, in a control group of its own, and that outlives the launcher.
cat >/etc/binnacle/apps.d/runner.app <<END
[App]
Identifier=org.example.runner
Executable=/bin/sh
Arguments=-c "echo ready; exec sleep 1000"
User=games
END
systemctl reload binnacled
is_started() { binnacle start org.example.runner >/run/check/start 2>&1; }
wait_for 10 "the start of an app" is_started
has_output() { [ "$(binnacle output org.example.runner)" = ready ]; }
wait_for 10 "the output of the app" has_output
[ "$(stat -c %U:%a /run/binnacle/launched)" = binnacle:700 ] || fail "the launcher's folder is open to others"
runner=$(sed -n 's/^process //p' /run/binnacle/launched/org.example.runner.run)
[ "$(stat -c %U "/proc/$runner")" = games ] || fail "the app does not run as its user"
for line in "CapEff:	0000000000000000" "CapPrm:	0000000000000000" "CapAmb:	0000000000000000"; do
  grep -q -x "$line" "/proc/$runner/status" || fail "the app's process has no '$line'"
done
grep -q '/binnacle-launch.service/app-org.example.runner$' "/proc/$runner/cgroup" || fail "the app has no control group: $(cat "/proc/$runner/cgroup")"
systemctl restart binnacle-launch
[ "$(stat -c %U "/proc/$runner")" = games ] || fail "the app did not outlive the launcher"
is_closed() { binnacle quit org.example.runner >/run/check/quit 2>&1 && [ ! -d "/proc/$runner" ]; }
wait_for 15 "the end of the app that a person closes" is_closed
say "launcher: an app was started as games, outlived a restart of the launcher, and was closed"

# ---- Devices: what the control group lets through. A number without a driver says ENXIO where it may be opened.
mkdir /run/nodes
opens() { # opens NAME TYPE MAJOR MINOR: allowed or forbidden
  mknod "/run/nodes/$1" "$2" "$3" "$4"
  local words
  words=$(bash -c 'echo $$ >"/sys/fs/cgroup$1/cgroup.procs"; exec 3<>"$2"' - \
    "$(value ControlGroup)" "/run/nodes/$1" 2>&1 </dev/null) || true
  case $words in
  *"Operation not permitted"*) echo forbidden ;;
  *) echo allowed ;;
  esac
}
[ "$(opens mem c 1 1)" = forbidden ] || fail "the control group lets /dev/mem through; does the kernel have CONFIG_CGROUP_BPF?"
[ "$(opens loop b 7 0)" = forbidden ] || fail "the control group lets a disk through"
shown=
for node in "i2c-1 89 1" "ttyACM0 166 0" "ttyUSB0 188 0"; do
  set -- $node
  [ "$(opens "$1" c "$2" "$3")" = allowed ] || fail "the unit forbids /dev/$1"
  shown="$shown $1"
done
for class in ttyS ttyAMA gpiochip; do
  number=$(awk -v class=$class '$2 == class { print $1; exit }' /proc/devices)
  [ "$(opens "$class" c "$number" 64)" = allowed ] || fail "the unit forbids $class"
  shown="$shown $class"
done
say "devices:$shown may be opened, memory and disks not"

# ---- Kill
restarts() { value NRestarts; }
was_restarted() { [ "$(restarts)" -gt "$before" ] && [ "$(value ActiveState)" = active ]; }
before=$(restarts)
kill -KILL "$process"
wait_for 20 "it runs again after SIGKILL" was_restarted
had=$(fixes)
wait_for 30 "the program has positions again" has_more
say "killed: it was started again, the program that follows goes on"

# ---- Watchdog
process=$(value MainPID)
before=$(restarts)
alive=$(value WatchdogTimestampMonotonic)
is_alive() { [ "$(value WatchdogTimestampMonotonic)" != "$alive" ]; }
wait_for 25 "WATCHDOG=1" is_alive
kill -STOP "$process"
was_ended() { [ ! -d "/proc/$process" ]; }
wait_for 60 "a daemon that hangs is ended" was_ended
wait_for 20 "it runs again after the watchdog" was_restarted
journalctl --quiet --boot --unit=binnacled | grep 'Watchdog timeout' >/dev/null || fail "it was not the watchdog that ended it"
had=$(fixes)
wait_for 30 "the program has positions again" has_more
say "hanging: the watchdog has ended it, and it was started again"

# ---- Stop
systemctl stop binnacled
[ "$(value Result)/$(value ExecMainStatus)" = success/0 ] || fail "stopping: $(value Result), status $(value ExecMainStatus)"
[ -d /run/binnacle ] || fail "stopping has taken /run/binnacle, where programs wait"
echo 'BINNACLE_OPTIONS=--board nobody-has-such-a-board' >/etc/default/binnacle
before=$(restarts)
systemctl start binnacled 2>/dev/null && fail "it starts with a profile that is not there"
sleep 3
[ "$(value ActiveState)/$(value ExecMainStatus)" = failed/78 ] || fail "with no profile it is $(value ActiveState), status $(value ExecMainStatus)"
say "stopped: status 0; a profile that is not there ends it for good with status 78"

# ---- Uninstall
echo 'BINNACLE_OPTIONS=--receiver /run/gnss' >/etc/default/binnacle
systemctl reset-failed binnacled
systemctl start binnacled
process=$(value MainPID)
DESTDIR='' PREFIX=/usr scripts/install.sh --uninstall >/run/check/install.log 2>&1 ||
  { cat /run/check/install.log; fail "uninstalling failed"; }
[ ! -d "/proc/$process" ] || fail "uninstalling has left it running"
[ "$(value LoadState)" = not-found ] || fail "uninstalling has left the unit: $(value LoadState)"
[ ! -e /usr/bin/binnacled ] && [ ! -e /usr/lib/udev/rules.d/60-binnacle.rules ] || fail "uninstalling has left files"
[ -d /var/lib/binnacle ] || fail "uninstalling has taken the state"
[ ! -d "/proc/$launcher" ] || fail "uninstalling has left the launcher running"
say "uninstalled: process, unit and files are gone, the state is kept"
