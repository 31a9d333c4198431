# The file system becomes read-only under the daemon, as a card does that gives up: the daemon serves, gives nothing that it cannot
# keep, says why, takes away what it is told to, and keeps again by itself when the file system can be written.
# bench: disk=32M time=natural

state=/var/lib/binnacle
disk_mounted "$state"
start_daemon --receiver /dev/ttyS0
services off
services on
services off
expect_not "an open log keeps a file system from being made read-only in passing" mount -o remount,ro "$state"

# The effect of errors=remount-ro and of a card that locks itself, whether or not files are open.
read_only() { awk -v place="$state" '$2 == place { print $4 }' /proc/mounts | grep -q '^ro'; }
echo u >/proc/sysrq-trigger
wait_for 10 "the file system is read-only" read_only
# The kernel takes the bytes and a flush succeeds, and nothing is on the disk.
expect_not "on is not given" services on
expect "what it says" daemon_said 'not written: the disk or the file is read-only'
expect_equal "location services" "$(services)" off
expect "it serves" timeout 30 binnacle watch --operator --count 1 --runtime /run/binnacle

mount -o remount,rw "$state"
expect "on is given when it can be written again" services on
expect "that is said" daemon_said 'the disk takes it again'
echo u >/proc/sysrq-trigger
wait_for 10 "the file system is read-only once more" read_only
expect_not "off is said not to be kept" services off
expect_equal "and holds all the same" "$(services)" off
mount -o remount,rw "$state"
expect "it is kept when it can be" services off
kill -KILL "$(daemon_pid)"
is_back() { [ "$(daemon_starts)" = 2 ] && status_is state.kept yes; }
wait_for 20 "the daemon is back" is_back
expect_equal "location services in the next run" "$(services)" off
stop_daemon
expect "the log is whole" binnacle state check "$state/state.log"
