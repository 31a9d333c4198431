# Apps that the launcher starts: their programs, their control groups, and their launches.

# install_launched_app NAME USER [OPTION...]: installs a script as the app. The script notes its launch and executes
# Examples/LiveUpdates with these options. $said/NAME has an object for each update, $said/NAME.launches a line for each launch.
install_launched_app() {
  local name=$1 user=$2
  shift 2
  install_app "$name" "$user"
  mkdir -p /usr/lib/tracker
  cat >"/usr/lib/tracker/$name" <<END
#!/bin/sh
echo "\$BINNACLE_LAUNCHED" >>$said/$name.launches
exec $live_updates $* --json >>$said/$name 2>>$said/$name.errors
END
  chmod 755 "/usr/lib/tracker/$name"
  app_manifest "$name" "$user" "/usr/lib/tracker/$name"
  chmod 755 "$said"
  for file in "$name" "$name.launches" "$name.errors"; do
    : >>"$said/$file"
    chown "$user" "$said/$file"
  done
}

# started NAME: a person starts the app.
started() { expect "a person starts $1" binnacle start "org.example.$1"; }

# run_allowed_app NAME: starts launcher and daemon. A person allows the app and starts it, and the app gets locations.
run_allowed_app() {
  start_launcher
  start_panel
  wait_for 5 "the daemon has claimed the lines" panel_is_claimed
  expect "a person allows $1" binnacle allow "org.example.$1"
  started "$1"
  more_fixes 60 "$1" 3
}

# group_of NAME: the control group of the app; process_of NAME: its first process.
group_of() { echo "/sys/fs/cgroup/binnacle-launch/app-org.example.$1"; }
process_of() { head -n 1 "$(group_of "$1")/cgroup.procs"; }
is_frozen() { text_in "$(group_of "$1")/cgroup.events" 'frozen 1'; }

# launches NAME: the number of launches of the app; was_launched NAME COUNT: whether there were at least COUNT launches.
launches() { lines_in "$said/$1.launches" .; }
was_launched() { [ "$(launches "$1")" -ge "$2" ]; }

# cpu_ns NAME: the processor time of all processes of the app.
cpu_ns() {
  local process time sum=0
  while read -r process; do
    read -r time _ <"/proc/$process/schedstat"
    sum=$((sum + time))
  done <"$(group_of "$1")/cgroup.procs"
  echo $sum
}

# stop_launcher [SIGNAL]: ends the launcher.
stop_launcher() {
  kill "-${1:-TERM}" $launcher
  wait $launcher 2>/dev/null || true
}

# clock_ns: CLOCK_MONOTONIC in nanoseconds, with a resolution of 10 ms; the guest is never suspended.
clock_ns() {
  awk '{ printf "%d0000000\n", $1 * 100 }' /proc/uptime
}
