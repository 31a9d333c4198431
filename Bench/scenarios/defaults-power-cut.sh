# The example takes its location updates up again after a kill of its own, of the daemon, and after a power cut; when it has
# been told to stop before the cut, it does not. The answer of a person about the app outlasts the cut, too.
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
expect "the manifest is understood" binnacled --receiver /dev/null --check

# in_front: the app has no terminal, so a person brings it to the foreground.
in_front() { wait_for 20 "the app is in front" binnacle foreground org.example.live-updates; }

# start_app NAME [OPTION...]: as an ordinary user.
start_app() {
  app=$said/$1
  shift
  setpriv --reuid=binnacle --regid=binnacle --clear-groups /usr/bin/LiveUpdates "$@" >"$app" 2>&1 &
  app_process=$!
}
app_said() { text_in "$app" "$1"; }
has_locations() { [ "$(lines_in "$app" '±')" -ge "$1" ]; }
more_locations() { wait_for 60 "$1 more locations" has_locations $(($(lines_in "$app" '±') + $1)); }

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
  expect "it has begun by itself" app_said 'starting location updates'
  wait_for 20 "that is kept" status_is defaults.values 1
  kill -9 "$app_process"
  start_app second --resume
  in_front
  more_locations 3
  expect "it has taken up what the kill has ended" app_said 'taking up location updates'
  starts=$(daemon_starts)
  kill -9 "$(daemon_pid)"
  in_front
  more_locations 3
  expect "the daemon has started again" [ "$(daemon_starts)" -gt "$starts" ]
  expect "its value is there" status_is defaults.values 1
  power_cut
  ;;
2)
  start_board
  start_app third --resume
  in_front
  more_locations 3
  expect "it has taken up what the cut has ended" app_said 'taking up location updates'
  kill "$app_process"
  wait "$app_process"
  expect "it has stopped" app_said 'stopping location updates'
  expect_not "and has kept that" app_said 'not kept'
  power_cut
  ;;
esac

start_board
start_app fourth --resume
wait "$app_process"
expect "it was told to stop before the cut" app_said 'no location updates to take up'
stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
