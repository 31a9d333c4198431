# Apps of other users, the launcher that identifies their programs for the daemon, and the log of the indicator's lamp.

# app_user NAME: an ordinary user.
app_user() {
  tool systemd-sysusers
  id "$1" >/dev/null 2>&1 || echo "u $1 -" | systemd-sysusers - 2>>"$said/users"
}

# app_manifest NAME USER PROGRAM: the manifest of an app org.example.NAME.
app_manifest() {
  mkdir -p /etc/binnacle/apps.d
  cat >"/etc/binnacle/apps.d/$1.app" <<END
[App]
Identifier=org.example.$1
Executable=$3
User=$2
BackgroundModes=location
WhenInUseUsageDescription=Shows where this board is.
END
}

# install_app NAME USER: Examples/LiveUpdates is the app org.example.NAME for this user.
live_updates=/usr/bin/LiveUpdates
install_app() {
  app_user "$2"
  # The guest's memory has room for one copy.
  [ -x $live_updates ] || install -m 755 "$BENCH_HOME/../.build/release/LiveUpdates" $live_updates
  app_manifest "$1" "$2" $live_updates
}

# start_app NAME [OPTION...]: starts the app as the user of its manifest; $said/NAME has an object for each update.
start_app() {
  app_name=$1
  shift
  run_as "$(sed -n 's/^User=//p' "/etc/binnacle/apps.d/$app_name.app")" "$app_name" "$@"
}

# run_as USER NAME [OPTION...]: starts the same program as any user, as a background job.
run_as() {
  local user=$1 name=$2
  shift 2
  setpriv --reuid="$user" --regid="$user" --clear-groups $live_updates "$@" --json >>"$said/$name" 2>>"$said/$name.errors" &
  eval "app_$name=$!"
}

# end_app NAME: sends SIGTERM to the app, which must end without an error; kill_app NAME: kills its process.
end_app() {
  eval "kill \$app_$1"
  eval "wait \$app_$1" || fail "app $1 ended with an error"
}
kill_app() {
  eval "kill -KILL \$app_$1"
  eval "wait \$app_$1" 2>/dev/null || true
}

# in_front NAME, sent_away NAME: a person brings the app to the foreground, or sends it to the background.
in_front() { wait_for 20 "$1 is in the foreground" binnacle foreground "org.example.$1"; }
sent_away() { expect "$1 is sent to the background" binnacle background "org.example.$1"; }

# app_is NAME KEY VALUE: a value of "binnacle apps"; answer_is NAME VALUE: the authorization in "binnacle grants".
row_value() { sed -n "/\"id\":\"org.example.$1\"/s/.*\"$2\":\"\\{0,1\\}\\([^,\"}]*\\).*/\\1/p"; }
app_is() { [ "$(binnacle apps --json | row_value "$1" "$2")" = "$3" ]; }
answer_is() { [ "$(binnacle grants --json | row_value "$1" authorization)" = "$2" ]; }

# reason_of NAME KEY: the sentence of a condition of "binnacle why"; reason_says NAME KEY PATTERN: whether the sentence matches.
reason_of() { binnacle why "org.example.$1" --json | tr '{' '\n' | sed -n "s/.*\"key\":\"$2\".*\"text\":\"\\([^\"]*\\).*/\\1/p"; }
reason_says() { reason_of "$1" "$2" | grep -q "$3"; }

# last_says NAME KEY: the app's last update has this flag.
last_says() { tail -n 1 "$said/$1" | grep -q "\"$2\":true"; }

# start_launcher: starts the launcher as its unit does, with a delegated control group. The daemon then knows the programs of all
# users, and can start, freeze and end apps.
start_launcher() {
  service_user
  install -d -o binnacle -g binnacle -m "$(unit_value RuntimeDirectoryMode)" /run/binnacle
  words=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/binnacle-launch.service)
  local group=/sys/fs/cgroup/binnacle-launch capabilities=-all,+setuid,+setgid,+kill,+sys_ptrace
  mkdir -p $group
  chown binnacle:binnacle $group $group/cgroup.procs $group/cgroup.threads $group/cgroup.subtree_control
  # The command line's words have no blanks in them.
  sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - $group \
    setpriv --reuid=binnacle --regid=binnacle --clear-groups --no-new-privs \
    --bounding-set=$capabilities --inh-caps=$capabilities --ambient-caps=$capabilities \
    $words >>"$said/launcher" 2>&1 &
  launcher=$!
  wait_for 5 "the launcher listens" test -S /run/binnacle/launch.sock
}

# log_lamp [SENSE]: notes each change of the line INDICATOR in $lamp_log; the line SENSE is wired to it, if named.
lamp_log=/run/lamp.log
log_lamp() {
  local sense=${1-}
  # The chip may get another number when it is plugged in again.
  "$BENCH_TOOLS/line-log" "$lamp_log" INDICATOR \
    "/sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio2/value" \
    ${sense:+"/sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio4/pull"} &
  lamp_logger=$!
}

# location_times NAME: the times at which the app received its locations, by CLOCK_MONOTONIC in nanoseconds.
location_times() { sed -n '/"latitude"/s/.*"received_monotonic_ns":\([0-9]*\).*/\1/p' "$said/$1"; }

# last_location NAME: the time at which the app received its last location.
last_location() { location_times "$1" | tail -n 1; }

# locations_between NAME FROM TO: the number of locations that the app received between these times; TO may be "".
locations_between() {
  location_times "$1" | awk -v from="$2" -v to="$3" '$1 > from && (to == "" || $1 < to)' | grep -c . || true
}

# first_location NAME FROM: the time at which the app received its first location after FROM.
first_location() { location_times "$1" | awk -v from="$2" '$1 > from && !seen++'; }

# lamp_changed LEVEL FROM: the time of the lamp's first change to this level after FROM.
lamp_changed() { awk -v level="$1" -v from="$2" '$1 > from && $4 == level && !seen++ { print $1 }' "$lamp_log"; }
lamp_has_changed() { [ -n "$(lamp_changed "$1" "$2")" ]; }

# lit_before_locations NAME FROM: whether the lamp was lit before the app's first location after FROM.
lit_before_locations() {
  local lit first
  lit=$(lamp_changed 1 "$2")
  first=$(first_location "$1" "$2")
  [ -n "$lit" ] && [ -n "$first" ] || fail "the lamp was lit at '$lit', the first location came at '$first'"
  say "the lamp was lit at $lit ns, the first location came at $first ns, $(((first - lit) / 1000000)) ms later"
  [ "$lit" -lt "$first" ]
}

# journal_ns WORD: the time of the daemon's last event of this name ("started") in the supervisor's journal. The journal's clock
# agrees with CLOCK_MONOTONIC, because the guest is never suspended.
journal_ns() { awk -v word="$1" '$2 == word { time = $1 } END { sub(/\./, "", time); print time "000000" }' "$service_journal"; }
