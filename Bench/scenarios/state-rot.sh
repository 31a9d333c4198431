# Blocks of the state log are damaged, and its mark is damaged or removed. The daemon's log, the status report and the doctor report each
# loss. Until root accepts the loss, location services stay off, and an app whose denial is lost stays denied. A power cut is not reported
# as damage. Time is natural because the disk is the host's.
# bench: disk=32M time=natural limit=180

state=/var/lib/binnacle
log=$state/state.log
mark=$state/state.mark
device_for binnacle "$disk"
fresh_start() {
  : >"$service_journal"
  : >"$said/daemon"
  start_daemon --receiver /dev/ttyS0
}
app_manifest tracker binnacle /usr/lib/tracker/tracker
is_damaged() { [ -n "$(status_value state.damage)" ]; }

if [ "$BENCH_BOOT" = 1 ]; then
  disk_mounted "$state"
  fresh_start
  services off
  services on
  services off
  binnacle allow org.example.tracker
  binnacle deny org.example.tracker
  power_cut
fi
disk_mounted "$state"
fresh_start
expect_equal "location services after the power cut" "$(services)" off
expect_not "the status report has no damage after the power cut" is_damaged
expect "the app is denied after the power cut" app_is tracker authorization denied
stop_daemon
cp "$log" /run/good

# rot FILL: overwrites the last blocks of the log, which have the last decisions.
rot() {
  python3 - "$log" "$1" <<'END'
import os, sys
path, fill = sys.argv[1], sys.argv[2]
data = bytearray(open(path, "rb").read())
last = max(i for i in range(0, len(data), 4096) if data[i : i + 4] == b"BnkS") + 4096
size = min(last, 32768)
data[last - size : last] = os.urandom(size) if fill == "random" else bytes([int(fill)]) * size
with open(path, "r+b") as file:
    file.write(data)
END
}

for fill in random 255 0; do
  rot "$fill"
  fresh_start
  expect "filled with $fill: the daemon reports the loss" daemon_said 'location services stay off until the loss is accepted: binnacle state accept'
  expect "filled with $fill: the status report has the damage" is_damaged
  expect_equal "filled with $fill: location services" "$(services)" off
  expect_not "filled with $fill: the daemon refuses to turn location services on" services on
  expect "filled with $fill: the app whose denial is lost is denied" app_is tracker authorization denied
  expect "filled with $fill: the doctor reports the damage" sh -c 'binnacle doctor --json | grep state-damaged'
  stop_daemon
  fresh_start
  expect "filled with $fill: the status report has the damage after a restart" is_damaged
  expect "filled with $fill: the app is denied after a restart" app_is tracker authorization denied
  expect "filled with $fill: root accepts the loss" binnacle state accept
  expect_not "filled with $fill: the status report has no damage after the acceptance" is_damaged
  expect_equal "filled with $fill: location services after the acceptance" "$(services)" off
  expect "filled with $fill: the app's authorization is not determined" app_is tracker authorization not_determined
  services on
  services off
  binnacle deny org.example.tracker
  stop_daemon
done

# damage_mark HOW: removes the mark, or overwrites it with random bytes.
damage_mark() {
  case $1 in
  missing) rm "$mark" ;;
  unreadable) dd if=/dev/urandom of="$mark" bs=4096 count=2 conv=notrunc status=none ;;
  esac
}

for how in missing unreadable; do
  # The mark alone, after services were turned on; then the mark and the last blocks, after services were turned off.
  for last in on off; do
    fresh_start
    expect_not "before its mark is $how: the status report has no damage" is_damaged
    services on
    binnacle allow org.example.tracker
    services "$last"
    stop_daemon
    damage_mark "$how"
    [ "$last" = on ] || rot 255
    fresh_start
    expect "mark $how, services $last: the daemon reports the mark" daemon_said "its mark is $how, so commits after"
    expect "mark $how, services $last: the status report has the damage" is_damaged
    expect_equal "mark $how, services $last: location services" "$(services)" off
    expect_not "mark $how, services $last: the daemon refuses to turn location services on" services on
    expect "mark $how, services $last: the app is denied" app_is tracker authorization denied
    expect "mark $how, services $last: the doctor reports the damage" sh -c 'binnacle doctor --json | grep state-damaged'
    expect "mark $how, services $last: root accepts the loss" binnacle state accept
    expect_equal "mark $how, services $last: location services after the acceptance" "$(services)" off
    stop_daemon
  done
done
rm "$log"
fresh_start
expect "a missing log: the status report has the damage" is_damaged
expect_equal "a missing log: location services" "$(services)" off
stop_daemon
