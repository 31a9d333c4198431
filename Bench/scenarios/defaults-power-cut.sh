# The example app resumes its location updates after a kill of the app, after a kill of the daemon, and after a power cut. If the app was
# stopped before the cut, it does not resume them. A person's answer about the app also survives the cut.
# bench: disk=32M time=natural limit=180

disk_mounted /var/lib/binnacle
service_user
install -m 755 "$BENCH_HOME/../.build/release/LiveUpdates" /usr/bin/LiveUpdates
mkdir -p /etc/binnacle/apps.d
cat >/etc/binnacle/apps.d/live.app <<END
[App]
Identifier=org.example.live-updates
Executable=/usr/bin/LiveUpdates
User=binnacle
BackgroundModes=location
WhenInUseUsageDescription=Shows where this board is.
END
expect "the daemon accepts the manifest" binnacled --receiver /dev/null --check

# in_front: the app has no terminal, so a person brings it to the foreground.
in_front() { wait_for 20 "the app is in the foreground" binnacle foreground org.example.live-updates; }

# start_app NAME [OPTION...]: starts the app as the user binnacle; $said/NAME has its output.
start_app() {
  app=$said/$1
  shift
  setpriv --reuid=binnacle --regid=binnacle --clear-groups /usr/bin/LiveUpdates "$@" >"$app" 2>&1 &
  app_process=$!
}
app_said() { text_in "$app" "$1"; }
has_locations() { [ "$(lines_in "$app" '±')" -ge "$1" ]; }
more_locations() { wait_for 60 "the app gets $1 more locations" has_locations $(($(lines_in "$app" '±') + $1)); }

start_board() {
  start_receiver
  device_for dialout /dev/ttyS0
  start_daemon --receiver /dev/ttyS0
}

case $BENCH_BOOT in
1)
  start_board
  expect "a person allows the app" binnacle allow org.example.live-updates
  start_app first
  in_front
  more_locations 3
  expect "the app has started location updates" app_said 'starting location updates'
  wait_for 20 "the daemon has stored one default of the app" status_is defaults.values 1
  kill -9 "$app_process"
  start_app second --resume
  in_front
  more_locations 3
  expect "the app has resumed its updates after the kill" app_said 'taking up location updates'
  starts=$(daemon_starts)
  kill -9 "$(daemon_pid)"
  in_front
  more_locations 3
  expect "the daemon has started again" [ "$(daemon_starts)" -gt "$starts" ]
  expect "the restarted daemon has the app's default" status_is defaults.values 1
  power_cut
  ;;
2)
  start_board
  start_app third --resume
  in_front
  more_locations 3
  expect "the app has resumed its updates after the power cut" app_said 'taking up location updates'
  kill "$app_process"
  wait "$app_process"
  expect "the app has stopped its updates" app_said 'stopping location updates'
  power_cut
  ;;
esac

start_board
start_app fourth --resume
wait "$app_process"
expect "the app resumes no updates that it stopped before the cut" app_said 'no location updates to take up'
stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
