# The file system becomes read-only while the daemon runs, as with an SD card at the end of its life. The daemon serves clients, grants
# nothing that it cannot store, and reports the reason. It still turns location services off. It stores state again by itself when the
# file system is writable.
# bench: disk=32M time=natural

state=/var/lib/binnacle
disk_mounted "$state"
start_daemon --receiver /dev/ttyS0
services off
services on
services off
expect_not "an open log prevents a remount as read-only" mount -o remount,ro "$state"

# The command "u" of sysrq has the effect of errors=remount-ro and of an SD card that locks itself, also while files are open.
read_only() { awk -v place="$state" '$2 == place { print $4 }' /proc/mounts | grep -q '^ro'; }
echo u >/proc/sysrq-trigger
wait_for 10 "the file system is read-only" read_only
# The kernel accepts the bytes, and a flush succeeds, but nothing is on the disk.
expect_not "the daemon refuses to turn location services on" services on
expect "the daemon's log reports the read-only disk" daemon_said 'not written: the disk or the file is read-only'
expect_equal "location services after the refusal" "$(services)" off
expect "a client gets an update" timeout 30 binnacle watch --operator --count 1 --runtime /run/binnacle

mount -o remount,rw "$state"
expect "the daemon turns location services on when the disk is writable" services on
expect "the daemon's log reports that the disk works again" daemon_said 'writing to the disk works again'
echo u >/proc/sysrq-trigger
wait_for 10 "the file system is read-only again" read_only
expect_not "the command to turn services off reports that off is not stored" services off
expect_equal "location services after this command" "$(services)" off
mount -o remount,rw "$state"
expect "the command to turn services off succeeds when the disk is writable" services off
kill -KILL "$(daemon_pid)"
is_back() { [ "$(daemon_starts)" = 2 ] && status_is state.kept yes; }
wait_for 20 "the daemon has restarted and stores state" is_back
expect_equal "location services after the restart" "$(services)" off
stop_daemon
expect "the state log has no damage" binnacle state check "$state/state.log"
