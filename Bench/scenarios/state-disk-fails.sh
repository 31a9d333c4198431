# Every call to the disk fails. The daemon serves clients and grants nothing that it cannot store. When the disk works again, the
# daemon stores state again by itself, and the acknowledged changes are still there.
# bench: disk=32M time=natural

tool dmsetup
state=/var/lib/binnacle
size=$(blockdev --getsz "$disk")
dmsetup --noudevsync create failing --table "0 $size linear $disk 0"
failing=/dev/mapper/failing
if [ ! -e "$failing" ]; then
  mkdir -p /dev/mapper
  # The two numbers are words.
  # shellcheck disable=SC2046
  mknod "$failing" b $(dmsetup info -c --noheadings --separator ' ' -o major,minor failing)
fi
# disk_becomes TABLE: sets the behavior of the disk from now on.
disk_becomes() {
  dmsetup --noudevsync suspend --noflush --nolockfs failing
  dmsetup load failing --table "$1"
  dmsetup --noudevsync resume failing
}
mkfs.ext4 -q -F -b 4096 "$failing"
mkdir -p "$state"
mount "$failing" "$state"

start_daemon --receiver /dev/ttyS0
services on
services off
disk_becomes "0 $size error"
expect_not "the daemon refuses to turn location services on" services on
expect "the daemon's log reports the failed write" daemon_said 'not written:'
expect_equal "location services after the refusal" "$(services)" off
expect "a client gets an update" timeout 30 binnacle watch --operator --count 1 --runtime /run/binnacle

disk_becomes "0 $size linear $disk 0"
wait_for 60 "the daemon turns location services on when the disk works" services on
services off
stop_daemon
expect "the state log has no damage" binnacle state check "$state/state.log"
umount "$state"
e2fsck -f -y "$failing" >/dev/null || true
mount "$failing" "$state"
: >"$service_journal"
start_daemon --receiver /dev/ttyS0
expect_equal "location services after a restart" "$(services)" off
expect "the daemon turns location services on" services on
stop_daemon
