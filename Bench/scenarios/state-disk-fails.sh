# A disk whose every call fails: the daemon serves, gives nothing that it cannot keep, and what was acknowledged is there when
# the disk works again; so does the daemon, by itself.
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
# disk_becomes TABLE: from now on.
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
expect_not "on is not given" services on
expect "what it says" daemon_said 'not written:'
expect_equal "location services" "$(services)" off
expect "it serves" timeout 30 binnacle watch --operator --count 1 --runtime /run/binnacle

disk_becomes "0 $size linear $disk 0"
wait_for 60 "on is given when the disk works again" services on
services off
stop_daemon
expect "the log is whole" binnacle state check "$state/state.log"
umount "$state"
e2fsck -f -y "$failing" >/dev/null || true
mount "$failing" "$state"
: >"$service_journal"
start_daemon --receiver /dev/ttyS0
expect_equal "location services after a fresh start" "$(services)" off
expect "on is given again" services on
stop_daemon
