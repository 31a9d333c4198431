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
  expect "a file system is not overwritten" daemon_said 'something that is not a log is on it'
  expect_equal "is state kept" "$(status_value state.kept)" no
  expect_equal "what is on the partition" "$(sha256sum <"$partition")" "$before"
  expect_not "a file system is cleared by order only" prepare
  expect "it is said what is there" sh -c "binnacle state prepare $partition 2>&1 | grep 'ext4 file system is on it'"
  mkdir /run/mounted
  mount "$partition" /run/mounted
  expect_not "what is mounted is not cleared at all" prepare --force
  umount /run/mounted
  # A partition is not vacant either if only its beginning has data of another program.
  dd if=/dev/zero of="$partition" bs=1M count=8 status=none
  printf '\125\252' | dd of="$partition" bs=1 seek=510 conv=notrunc status=none
  restart_partition
  expect "a partition table is not overwritten" daemon_said 'something that is not a log is on it'
  expect "it is made ready" prepare --force
  restart_partition
  expect_equal "is state kept" "$(status_value state.kept)" yes
  services off
  before=$(disk_work "$partition")
  services on
  services on
  services off
  after=$(disk_work "$partition")
  expect_equal "bytes for two decisions and one that is none, each in two places" "$((${after% *} - ${before% *}))" 16384
  expect_equal "flushes for them" "$((${after#* } - ${before#* }))" 4
  expect_not "what the daemon has is not cleared" prepare --force
  power_cut
fi
start_partition
expect_equal "location services after the power cut" "$(services)" off
expect_equal "is state kept" "$(status_value state.kept)" yes
expect "the log is whole" binnacle state check "$partition"

# A backup takes the place of what is there, while the daemon does not run.
binnacle state backup --state "$partition" /run/backup
services on
expect_not "what the daemon has is not restored" binnacle state restore /run/backup --state "$partition"
stop_daemon
expect "a backup is restored" binnacle state restore /run/backup --state "$partition"
: >"$service_journal"
start_partition
expect_equal "location services are as in the backup" "$(services)" off

# Rot in an old commit: a copy is kept, and the rest goes on.
stop_daemon
dd if=/dev/urandom of="$partition" bs=512 count=1 seek=8 conv=notrunc status=none
: >"$service_journal"
start_partition
expect "the loss is told" daemon_said 'is damaged; what it changed is lost'
expect "a copy is kept" sh -c 'ls /var/lib/binnacle/state.log.damaged-*'
expect_equal "location services, by a later commit" "$(services)" off
