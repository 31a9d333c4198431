#!/bin/bash
# GeoClue reads the NMEA door of a virtual board: check-geoclue.sh PROGRAMS (needs root).
#
# GeoClue and its demo client run on a message bus of their own, with their usual configuration plus the socket of the door. The
# demo client gets locations while the profile grants them to the user geoclue, and none without the grant.
set -euo pipefail

programs=$(realpath "${1:?usage: check-geoclue.sh PROGRAMS}")
[ "$(id -u)" = 0 ] || { echo "check-geoclue: must be root, to run GeoClue as its own user: sudo make check-geoclue" >&2; exit 77; }
demos=/usr/libexec/geoclue-2.0/demos
folder=$(mktemp -d)
chmod 755 "$folder"
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait 2>/dev/null || true
  children=()
}
trap 'finish; rm -rf "$folder"' EXIT

# await_that DESCRIPTION COMMAND...: the command succeeds within 20 s.
await_that() {
  local complaint=$1
  shift
  for _ in $(seq 200); do
    if "$@"; then return 0; fi
    sleep 0.1
  done
  echo "check-geoclue: $complaint" >&2
  tail -n 5 "$folder"/*.log >&2
  exit 1
}

cat > "$folder/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$folder/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
  </policy>
</busconfig>
END
# The sources that need a network are off.
awk -v socket="$folder/run/nmea.sock" '
  /^\[/ { section = $0 }
  section == "[network-nmea]" && /nmea-socket=/ { print "nmea-socket=" socket; next }
  section != "[network-nmea]" && /^enable=true/ { print "enable=false"; next }
  { print }
  END { print "\n[geoclue-where-am-i]\nallowed=true\nsystem=true\nusers=" }
' /etc/geoclue/geoclue.conf > "$folder/geoclue.conf"
grep -q "^nmea-socket=" "$folder/geoclue.conf" || { echo "check-geoclue: GeoClue 2.6 or newer is needed" >&2; exit 1; }

# run NAME GRANT: the demo client asks for the location for some seconds; its output is NAME.log.
run() {
  local name=$1 grant=$2
  mkdir -p "$folder/run" "$folder/config/apps.d"
  rm -rf "$folder/state" "$folder/bus"
  mkdir -m 700 "$folder/state"
  printf '[Board]\nGPIO=sim:%s\n[Indicator]\nLine=GPIO23\n[Door NMEA]\nSocket=nmea.sock\nGroup=geoclue\nGrant=%s\n' \
    "$folder/board.sock" "$grant" > "$folder/board.conf"
  "$programs/binnacle-sim" board --listen "$folder/board.sock" > "$folder/board.log" 2>&1 & children+=($!)
  "$programs/binnacle-sim" receiver --path motorway --tty "$folder/receiver" > "$folder/receiver.log" 2>&1 & children+=($!)
  await_that "the simulated receiver does not begin" test -e "$folder/receiver"
  await_that "the virtual board does not begin" test -S "$folder/board.sock"
  "$programs/binnacled" --board "$folder/board.conf" --receiver "$folder/receiver" --runtime "$folder/run" \
    --state "$folder/state" --config "$folder/config" 2> "$folder/daemon.log" & children+=($!)
  await_that "the door does not open" test -S "$folder/run/nmea.sock"
  chmod 755 "$folder/run"
  dbus-daemon --config-file="$folder/bus.conf" --nofork > "$folder/bus.log" 2>&1 & children+=($!)
  await_that "the message bus does not begin" test -S "$folder/bus"
  export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus
  unshare --mount sh -c "mount --bind '$folder/geoclue.conf' /etc/geoclue/geoclue.conf && exec setpriv \
    --reuid=geoclue --regid=geoclue --init-groups /usr/libexec/geoclue" > "$folder/geoclue.log" 2>&1 & children+=($!)
  await_that "GeoClue does not begin" \
    dbus-send --system --print-reply --dest=org.freedesktop.GeoClue2 /org/freedesktop/GeoClue2/Manager \
    org.freedesktop.DBus.Peer.Ping > /dev/null 2>&1
  rm -f "$folder/session"
  dbus-daemon --session --address="unix:path=$folder/session" --nofork > "$folder/session.log" 2>&1 & children+=($!)
  await_that "the message bus of the session does not begin" test -S "$folder/session"
  DBUS_SESSION_BUS_ADDRESS=unix:path=$folder/session "$demos/agent" > "$folder/agent.log" 2>&1 & children+=($!)
  timeout 20 "$demos/where-am-i" -t 12 -a 8 > "$folder/$name.log" 2>&1 || true
  "$programs/binnacle" audit --json --runtime "$folder/run" > "$folder/$name.audit"
  finish
}

run granted geoclue
count=$(grep --count "^Latitude: *47\." "$folder/granted.log" || true)
lit=$(grep --count "\"id\":\"door.nmea:$(id -u geoclue)\".*\"lamp_verified\":true" "$folder/granted.audit" || true)
run denied none
control=$(grep --count "^Latitude:" "$folder/denied.log" || true)
echo "check-geoclue: $count locations with the grant, in $lit epoch with a verified lamp; $control locations without the grant"
[ "$count" -ge 5 ] && [ "$lit" -eq 1 ] && [ "$control" -eq 0 ]
