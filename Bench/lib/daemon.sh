# The daemon as its unit starts it: its command line, user, groups, watchdog and restart are read from the installed
# file. Only the sandbox is missing, which needs the service manager itself.

unit=/usr/lib/systemd/system/binnacled.service
service_journal=/run/service
said=/run/said
mkdir -p "$said"

unit_value() { sed -n "s/^$1=//p" "$unit" | head -n 1; }

# service_user: the daemon's user and the groups of devices, as installing makes them.
service_user() {
  tool systemd-sysusers
  id binnacle >/dev/null 2>&1 || systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
}

# device_for GROUP DEVICE...: what udev does where it runs.
device_for() {
  service_user
  local group=$1
  shift
  chgrp "$group" "$@"
  chmod 660 "$@"
}

# start_daemon [OPTION...]: they stand where the unit has $BINNACLE_OPTIONS. Ready when it returns.
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

# The process of the daemon that was started last.
daemon_pid() { awk '$2 == "started" { process = $3 } END { print process }' "$service_journal"; }

# daemon_starts: how many times it has been started.
daemon_starts() { lines_in "$service_journal" ' started '; }

# patience: how many seconds the service manager waits for the daemon's next sign of life.
patience() {
  awk -v usual="$(unit_value WatchdogSec)" '
    $2 == "started" { seconds = usual }
    $2 == "patience" { seconds = $3 }
    END { print seconds }' "$service_journal"
}

# stop_daemon: as the service manager stops it; it must end well.
stop_daemon() {
  kill "$supervisor"
  wait "$supervisor"
  expect_equal "the daemon's status" "$(awk '$2 == "ended" { status = $3 } END { print status }' "$service_journal")" 0
}

# daemon_said PATTERN: it stands in its log.
daemon_said() { text_in "$said/daemon" "$1"; }

# status_is NAME VALUE: as "binnacle status --all" says it.
status_value() { binnacle status --all --runtime /run/binnacle | sed -n "s/^$1  *//p"; }
status_is() { [ "$(status_value "$1")" = "$2" ]; }

# start_watch NAME [OPTION...]: a program that follows the location; what it gets is in $said/NAME, one object a line.
start_watch() {
  watch_name=$1
  shift
  binnacle watch --operator --json --runtime /run/binnacle "$@" >"$said/$watch_name" 2>"$said/$watch_name.errors" &
  eval "watch_$watch_name=$!"
}
stop_watch() { eval "kill \$watch_$1"; }

# fixes NAME: how many positions that program has got.
fixes() { lines_in "$said/$1" '"latitude"'; }

# has_fixes NAME COUNT: at least so many.
has_fixes() { [ "$(fixes "$1")" -ge "$2" ]; }

# more_fixes SECONDS NAME COUNT: so many more from now on.
more_fixes() { wait_for "$1" "$3 more positions for $2" has_fixes "$2" $(($(fixes "$2") + $3)); }

# costs SECONDS TEXT READS SWITCHES: how often the daemon may read and its threads may wake in that time.
costs() {
  local process before_reads before_switches
  process=$(daemon_pid)
  before_reads=$(read_calls "$process")
  before_switches=$(all_switches "$process")
  dwell "$1"
  expect_within "its reads while $2" $(($(read_calls "$process") - before_reads)) 0 "$3"
  expect_within "its wake-ups" $(($(all_switches "$process") - before_switches)) 0 "$4"
}

# asking_is_seen: the control of that, a program that asks ten times a second.
asking_is_seen() {
  local asking reads switches
  (while :; do read -r line </proc/uptime; sleep 0.1; done) &
  asking=$!
  reads=$(read_calls "$asking")
  switches=$(voluntary_switches "$asking")
  dwell 10
  expect "somebody who keeps asking is seen by his reads" test $(($(read_calls "$asking") - reads)) -gt 90
  expect "and by his wake-ups" test $(($(voluntary_switches "$asking") - switches)) -gt 90
  kill "$asking"
}
