# Rot under the log of state: each loss is told in log, status and doctor, location services stay off until root accepts the loss,
# an app whose denial is lost stays denied until then, and a power cut is not called damage. Time is natural: a disk is the host's.
# bench: disk=32M time=natural limit=120

state=/var/lib/binnacle
log=$state/state.log
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
expect_not "a power cut is no damage" is_damaged
expect "the denial is there" app_is tracker authorization denied
stop_daemon
cp "$log" /run/good

# rot FILL: the last blocks of the log, which hold the decision.
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
  expect "$fill: the loss is told in the log" daemon_said 'location services stay off until: sudo binnacle state accept'
  expect "$fill: status tells it" is_damaged
  expect_equal "$fill: location services" "$(services)" off
  expect_not "$fill: they cannot be turned on" services on
  expect "$fill: the app whose denial is lost is denied" app_is tracker authorization denied
  expect "$fill: the doctor tells it" sh -c 'binnacle doctor --json | grep state-damaged'
  stop_daemon
  fresh_start
  expect "$fill: a restart changes nothing" is_damaged
  expect "$fill: the app is denied" app_is tracker authorization denied
  expect "$fill: root accepts the loss" binnacle state accept
  expect_not "$fill: it is told no more" is_damaged
  expect_equal "$fill: the last word on services counts" "$(services)" off
  expect "$fill: a person may be asked again" app_is tracker authorization not_determined
  services on
  services off
  binnacle deny org.example.tracker
  stop_daemon
done
rm "$log"
fresh_start
expect "a missing log is told" is_damaged
expect_equal "a missing log: location services" "$(services)" off
stop_daemon
