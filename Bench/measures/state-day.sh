# The disk writes of a day in real time: 50 trips of 20 minutes. In each trip the sample app stores that it follows the location, and
# the track gets a point each second; 9 minutes at rest without a client follow. The daemon also stores the receiver's data. All
# writes to the device count, with the journal's commits. The control writes each track point separately.
# bench: disk=64M limit=1800

trips=50
settling=60
file_system defaults
umount /data
state=/var/lib/binnacle
mkdir -p "$state"
mount -t ext4 "$disk" "$state"
service_user
install -m 755 "$perf/LiveUpdates" /usr/bin/LiveUpdates
mkdir -p /etc/binnacle/apps.d
cat >/etc/binnacle/apps.d/live.app <<END_OF_APP
[App]
Identifier=org.example.live-updates
Executable=/usr/bin/LiveUpdates
User=binnacle
WhenInUseUsageDescription=Shows where this board is.
END_OF_APP
printf '[Board]\nName=Bench\n[Track]\nTrack=full\n' >/run/day.conf
receiver_in_memory
start_daemon --board /run/day.conf --receiver "$receiver_tty"

expect "a person allows the app" binnacle allow org.example.live-updates

trip() {
  setpriv --reuid=binnacle --regid=binnacle --clear-groups /usr/bin/LiveUpdates --seconds 1200 >"$said/app" 2>&1 &
  local app_process=$!
  wait_for 20 "the app is in the foreground" binnacle foreground org.example.live-updates
  wait "$app_process" || fail "the app ended with an error: no location in this trip"
  dwell 528
}
day() {
  local number=0
  while [ "$number" -lt "$trips" ]; do
    trip
    number=$((number + 1))
  done
}
cost "a day: 50 trips of 20 minutes, tracks at 1 Hz, file, ext4 with defaults" "$disk" 1 day
points=$(status_value track.points)
expect "the daemon stored at least 1,150 track points per trip" [ "$points" -ge $((trips * 1150)) ]
say "$points points in $(status_value track.commits) track commits; $(status_value state.commits) state commits"
at_most 26000000 100000
stop_daemon
umount "$state"

file_system defaults
filled_log /data/state.log
cost "control: one trip, each point written separately" "$disk" 1 log_at /data/state.log 1200 1
expect_not "the control writes more than the limit per trip" is_within $((26000000 / trips)) 100000
