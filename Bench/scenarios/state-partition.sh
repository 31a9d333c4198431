# The state log on a raw partition. Only the command 'state prepare' prepares the partition. The log survives a power cut,
# and a change costs one block and one flush. The data of other programs on the partition is never overwritten.
# bench: partition=8M time=natural

echo "[Board]
State=$partition" >/run/partition.conf
device_for binnacle "$partition"
start_partition() { start_daemon --board /run/partition.conf --receiver /dev/ttyS0; }
restart_partition() {
  stop_daemon
  : >"$service_journal"
  : >"$said/daemon"
  start_partition
}
prepare() { binnacle state prepare "$partition" "$@"; }

if [ "$BENCH_BOOT" = 1 ]; then
  mkfs.ext4 -q "$partition"
  before=$(sha256sum <"$partition")
  start_partition
  expect "the daemon's log reports other data on the partition (a file system)" daemon_said 'something that is not a log is on it'
  expect_equal "the value of state.kept" "$(status_value state.kept)" no
  expect_equal "the checksum of the partition" "$(sha256sum <"$partition")" "$before"
  expect_not "prepare without --force refuses a file system" prepare
  expect "prepare names the file system on the partition" sh -c "binnacle state prepare $partition 2>&1 | grep 'ext4 file system is on it'"
  mkdir /run/mounted
  mount "$partition" /run/mounted
  expect_not "prepare --force refuses a mounted partition" prepare --force
  umount /run/mounted
  # A partition is not empty if its beginning has data of another program.
  dd if=/dev/zero of="$partition" bs=1M count=8 status=none
  printf '\125\252' | dd of="$partition" bs=1 seek=510 conv=notrunc status=none
  before=$(sha256sum <"$partition")
  restart_partition
  expect "the daemon's log reports other data on the partition (a partition table)" daemon_said 'something that is not a log is on it'
  expect_equal "the checksum of the partition with a partition table" "$(sha256sum <"$partition")" "$before"
  expect "prepare --force prepares the partition" prepare --force
  restart_partition
  expect_equal "the value of state.kept" "$(status_value state.kept)" yes
  expect_equal "the value of state.partition" "$(status_value state.partition)" "$partition"
  services off
  before=$(disk_work "$partition")
  services on
  services on
  services off
  after=$(disk_work "$partition")
  expect_equal "bytes of two changes and a repeated value, in log and mark" "$((${after% *} - ${before% *}))" 24576
  expect_equal "flushes of two changes and a repeated value" "$((${after#* } - ${before#* }))" 6
  expect_not "prepare --force refuses the partition of a running daemon" prepare --force
  power_cut
fi
start_partition
expect_equal "location services after the power cut" "$(services)" off
expect_equal "the value of state.kept" "$(status_value state.kept)" yes
expect "the state log has no damage" binnacle state check "$partition"

# A backup replaces the state on the partition while the daemon does not run.
binnacle state backup --state "$partition" /run/backup
services on
expect_not "restore refuses the partition of a running daemon" binnacle state restore /run/backup --state "$partition"
stop_daemon
expect "restore writes the backup to the partition" binnacle state restore /run/backup --state "$partition"
: >"$service_journal"
start_partition
expect_equal "location services after the restore" "$(services)" off
expect_equal "the damage after the restore" "$(status_value state.damage)" ""

# An old commit is damaged. The daemon stores a copy of the damaged log and uses the other commits.
stop_daemon
dd if=/dev/urandom of="$partition" bs=512 count=1 seek=8 conv=notrunc status=none
: >"$service_journal"
start_partition
expect "the daemon's log reports the loss" daemon_said 'is damaged; its changes are lost'
expect "the daemon has stored a copy of the damaged log" sh -c 'ls /var/lib/binnacle/state.log.damaged-*'
expect_equal "location services, from a later commit" "$(services)" off

# The mark behind the log is overwritten. The end of the log counts as lost until root accepts the loss.
stop_daemon
dd if=/dev/zero of="$partition" bs=4096 seek=512 count=2 conv=notrunc status=none
: >"$service_journal"
start_partition
expect "the daemon's log reports the missing mark" daemon_said 'its mark is missing, so commits after'
expect_equal "location services without a mark" "$(services)" off
expect "root accepts the loss" binnacle state accept
restart_partition
expect_equal "the damage after the acceptance and a restart" "$(status_value state.damage)" ""
