# The disk writes of a day at its true pace: 50 trips of 20 minutes, each with the sample that keeps whether it follows the
# location, a track of a point a second, and 9 minutes at rest with no program behind it; what the receiver knows is kept, too.
# Everything counts that the device is given, the journal's commits included. The control is a point that is written for itself.
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
  wait_for 20 "the app is in front" binnacle foreground org.example.live-updates
  wait "$app_process" || fail "a trip without a location"
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
expect "a point a second is kept" [ "$points" -ge $((trips * 1150)) ]
say "$points points in $(status_value track.commits) commits of tracks, $(status_value state.commits) of state"
at_most 26000000 100000
stop_daemon
umount "$state"

file_system defaults
filled_log /data/state.log
cost "control: one trip of them, a point written for itself" "$disk" 1 log_at /data/state.log 1200 1
expect_not "that is within a trip's share" is_within $((26000000 / trips)) 100000
