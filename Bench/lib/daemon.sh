# Starts the daemon as its unit does: the command line, the user, the groups, the watchdog and the restart come from the installed
# file. Only the sandbox is missing, because it needs the real service manager.

unit=/usr/lib/systemd/system/binnacled.service
service_journal=/run/service
said=/run/said
mkdir -p "$said"

unit_value() { sed -n "s/^$1=//p" "$unit" | head -n 1; }

# service_user: the daemon's user and the groups of devices, as the installation makes them.
service_user() {
  tool systemd-sysusers
  id binnacle >/dev/null 2>&1 || systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
}

# device_for GROUP DEVICE...: gives the group access to the devices, as udev does on a board.
device_for() {
  service_user
  local group=$1
  shift
  chgrp "$group" "$@"
  chmod 660 "$@"
}

# start_daemon [OPTION...]: starts the daemon. The options replace $BINNACLE_OPTIONS of the unit. The daemon is ready at the return.
start_daemon() {
  service_user
  install -d -o binnacle -g binnacle -m "$(unit_value RuntimeDirectoryMode)" /run/binnacle
  install -d -o binnacle -g binnacle -m "$(unit_value StateDirectoryMode)" /var/lib/binnacle
  words=$(unit_value ExecStart | sed 's/ *$BINNACLE_OPTIONS//')
  groups=$(echo "binnacle $(unit_value SupplementaryGroups)" | tr ' ' ,)
  # The command line's words have no blanks in them.
  "$BENCH_TOOLS/supervise" /run/notify "$(unit_value WatchdogSec)" "$(unit_value RestartSec)" "$service_journal" \
    setpriv --reuid=binnacle --regid=binnacle "--groups=$groups" --no-new-privs --bounding-set=-all \
    $words "$@" >>"$said/daemon" 2>&1 &
  supervisor=$!
  wait_for 20 "the daemon is ready" daemon_is_ready
  say "the daemon is process $(daemon_pid)"
}

daemon_is_ready() { text_in "$service_journal" ' ready '; }

# daemon_pid: the process of the daemon that was started last.
daemon_pid() { awk '$2 == "started" { process = $3 } END { print process }' "$service_journal"; }

# daemon_starts: the number of starts of the daemon.
daemon_starts() { lines_in "$service_journal" ' started '; }

# patience: the watchdog period: the seconds that the service manager waits for the daemon's next watchdog signal.
patience() {
  awk -v usual="$(unit_value WatchdogSec)" '
    $2 == "started" { seconds = usual }
    $2 == "patience" { seconds = $3 }
    END { print seconds }' "$service_journal"
}

# stop_daemon: stops the daemon as the service manager does; the daemon must end without an error.
stop_daemon() {
  kill "$supervisor"
  wait "$supervisor"
  expect_equal "the daemon's exit status" "$(awk '$2 == "ended" { status = $3 } END { print status }' "$service_journal")" 0
}

# daemon_said PATTERN: whether the daemon's log has a matching line.
daemon_said() { text_in "$said/daemon" "$1"; }

# status_value NAME: a value of "binnacle status --all"; status_is NAME VALUE: whether the value is equal.
status_value() { binnacle status --all --runtime /run/binnacle | sed -n "s/^$1  *//p"; }
status_is() { [ "$(status_value "$1")" = "$2" ]; }

# start_watch NAME [OPTION...]: starts a client that follows the location; $said/NAME has its updates, one object a line.
start_watch() {
  watch_name=$1
  shift
  binnacle watch --operator --json --runtime /run/binnacle "$@" >"$said/$watch_name" 2>"$said/$watch_name.errors" &
  eval "watch_$watch_name=$!"
}
stop_watch() { eval "kill \$watch_$1"; }

# fixes NAME: the number of positions of that client so far.
fixes() { lines_in "$said/$1" '"latitude"'; }

# has_fixes NAME COUNT: whether the client has at least COUNT positions.
has_fixes() { [ "$(fixes "$1")" -ge "$2" ]; }

# more_fixes SECONDS NAME COUNT: the client must get COUNT more positions within this time.
more_fixes() { wait_for "$1" "client $2 gets $3 more positions" has_fixes "$2" $(($(fixes "$2") + $3)); }

# costs SECONDS TEXT READS SWITCHES: the limits for the daemon's read calls, and for the wake-ups of its threads, in this time.
costs() {
  local process before_reads before_switches
  process=$(daemon_pid)
  before_reads=$(read_calls "$process")
  before_switches=$(all_switches "$process")
  dwell "$1"
  expect_within "the daemon's read calls while $2" $(($(read_calls "$process") - before_reads)) 0 "$3"
  expect_within "the daemon's wake-ups while $2" $(($(all_switches "$process") - before_switches)) 0 "$4"
}

# asking_is_seen: the control of "costs": the counters show a program that polls ten times a second.
asking_is_seen() {
  local asking reads switches
  (while :; do read -r line </proc/uptime; sleep 0.1; done) &
  asking=$!
  reads=$(read_calls "$asking")
  switches=$(voluntary_switches "$asking")
  dwell 10
  expect "the read counter shows a program that polls" test $(($(read_calls "$asking") - reads)) -gt 90
  expect "the wake-up counter shows a program that polls" test $(($(voluntary_switches "$asking") - switches)) -gt 90
  kill "$asking"
}
