# A full disk, a small disk, and the log of another board. The daemon serves its clients, reports the fault, and grants nothing that it
# cannot store. It stores state again when the disk has space, also when its log was removed. A disk that becomes full later damages
# no stored state. The daemon retries after 30 s. Time is natural because the disk is the host's, so two daemons wait at the same time.
# bench: disk=32M time=natural limit=300

state=/var/lib/binnacle
device_for binnacle "$disk"
keeps() { status_is state.kept yes; }

# The second daemon has its state and its socket in /run/other.
other=/run/other
other_daemon() {
  setpriv --reuid=binnacle --regid=binnacle --clear-groups --no-new-privs binnacled --receiver /dev/nobody \
    --runtime "$other/run" --state "$other/state" >>"$said/other" 2>&1 &
  other_process=$!
  wait_for 20 "the other daemon answers a status request" other_status daemon.version
}
other_status() { binnacle status --all --runtime "$other/run" 2>/dev/null | grep "^$1  *${2-}"; }
other_keeps() { other_status state.kept yes; }

service_user
install -d -o binnacle -g binnacle -m 700 "$other/state"
install -d -o binnacle -g binnacle -m 755 "$other" "$other/run"
other_daemon
wait_for 5 "the other daemon stores state" other_keeps
kill "$other_process"
wait "$other_process" || true
chown root:root "$other/state/state.log"
chmod 600 "$other/state/state.log"

disk_mounted "$state"
dd if=/dev/zero of="$state/filler" bs=64k status=none 2>/dev/null || true
start_daemon --receiver /dev/ttyS0
other_daemon
expect "a full disk: the daemon answers a status request" status_value daemon.version
expect "a full disk: the daemon's log reports that no space is left" daemon_said 'no space is left'
expect_not "a full disk: the daemon refuses to turn services on" services on
expect "no permission: the daemon's log reports the wrong owner" text_in "$said/other" 'must belong to the daemon'
expect_not "no permission: the daemon stores no state" other_keeps
rm "$state/filler"
chown binnacle:binnacle "$other/state/state.log"
wait_for 60 "a full disk: the daemon stores state when the disk has space" keeps
wait_for 60 "no permission: the daemon stores state when it owns the log" other_keeps
kill "$other_process"
services off
# The disk becomes full later, when the log already has its space.
dd if=/dev/zero of="$state/filler" bs=64k status=none 2>/dev/null || true
services on
services off
expect "a disk that becomes full later: the daemon stores state" keeps

# The daemon frees the blocks of the removed log. They are too few for another log, because some are reserved for root.
rm "$state/state.log"
dd if=/dev/zero of="$state/more" bs=4k status=none 2>/dev/null || true
expect_not "the log is removed: the daemon refuses to turn services on" services on
rm "$state/filler" "$state/more"
wait_for 60 "the log is removed: the daemon stores state when the disk has space" keeps
stop_daemon
expect "the new state log has no damage" binnacle state check "$state/state.log"

# A small disk has no space for a removed log and a new log at the same time. The daemon frees the space of the removed log.
other=/run/small
install -d -o binnacle -g binnacle -m 755 "$other" "$other/run"
mkdir "$other/state"
mount -t tmpfs -o size=3m,mode=700 tmpfs "$other/state"
chown binnacle:binnacle "$other/state"
other_services() { binnacle services "$@" --runtime "$other/run"; }
other_daemon
wait_for 5 "a small disk: the daemon stores state" other_keeps
expect "a small disk: the daemon turns services off" other_services off
rm "$other/state/state.log"
expect "a small disk: the daemon turns services on after its log was removed" other_services on
expect "a small disk: the log has its name again" [ -f "$other/state/state.log" ]
expect "a small disk: the daemon stores state in the new log" other_services off
kill "$other_process"
wait "$other_process" || true
expect "a small disk: the new log has no damage" binnacle state check "$other/state/state.log"
: >"$service_journal"
start_daemon --receiver /dev/ttyS0
expect "location services are off in the next daemon" status_is services.on no
stop_daemon
