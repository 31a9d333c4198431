# The daemon serves clients with any file or bytes in the place of the log. It reports the loss, sets the file aside under a name with
# the time, and stores state again when it can. Time is natural because the disk is the host's.
# bench: disk=32M time=natural limit=90

state=/var/lib/binnacle
device_for binnacle "$disk"

# daemon_over [OPTION...]: starts the daemon with the present files.
daemon_over() {
  : >"$service_journal"
  : >"$said/daemon"
  start_daemon --receiver /dev/ttyS0 "$@"
}
# serves: whether the daemon answers a status request.
serves() { status_value daemon.version >/dev/null; }
keeps() { status_is state.kept yes; }
aside() { find "$state" -name 'state.log.damaged-2*' | wc -l; }

# set_aside TEXT PATTERN: the daemon sets the bad file aside, its log has PATTERN, and it stores state.
set_aside() {
  before=$(aside)
  daemon_over
  expect "$1: the daemon answers a status request" serves
  expect "$1: the daemon's log reports the fault" daemon_said "$2"
  expect "$1: the daemon stores state" keeps
  expect_equal "$1: number of files set aside" "$(aside)" $((before + 1))
  services off
  stop_daemon
  expect "$1: the new state log has no damage" binnacle state check "$state/state.log"
  # The daemon keeps only four such files. They are removed here, so that the next count is right.
  rm -rf "$state"/state.log.damaged-*
}

good() { install -o binnacle -g binnacle -m 600 /run/good "$state/state.log"; }

# header OFFSET VALUE: sets a byte in the header of every block, with a correct checksum (Docs/SPEC-state.md).
header() {
  python3 - "$state/state.log" "$1" "$2" <<'END'
import sys
path, offset, value = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = bytearray(open(path, "rb").read())
for start in range(0, len(data), 4096):
    block = data[start : start + 52]
    if block[:4] != b"BnkS":
        continue
    block[offset] = value
    crc = 0xFFFFFFFF
    for byte in block[:48]:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    block[48:52] = (crc ^ 0xFFFFFFFF).to_bytes(4, "little")
    data[start : start + 52] = block
open(path, "wb").write(data)
END
}

disk_mounted "$state"
daemon_over
services off
stop_daemon
cp "$state/state.log" /run/good

dd if=/dev/urandom of="$state/state.log" bs=4096 count=512 status=none
set_aside "random bytes" 'it has no block of a log; it is kept as .* and 1 record was recovered from it'
: >"$state/state.log"
set_aside "an empty file" 'it is empty'
for size in 1 511 4096 4097 8192 1048576 2097151; do
  good
  truncate -s "$size" "$state/state.log"
  set_aside "cut off after $size bytes" 'it is cut off\|it has no block of a log'
done
rm "$state/state.log"
mkdir "$state/state.log"
touch "$state/state.log/something"
set_aside "a directory" 'it is a directory'
rm -f "$state/state.log"
ln -s /etc/passwd "$state/state.log"
before=$(sha256sum </etc/passwd)
daemon_over
expect "a link: the daemon answers a status request" serves
expect_equal "a link: checksum of the link's target" "$(sha256sum </etc/passwd)" "$before"
stop_daemon
rm -rf "$state"/state.log*

good
header 16 1
set_aside "another board's log" "it is another board's"

# The daemon does not change the log of a newer version. It stores no state until a person decides.
good
header 4 2
before=$(sha256sum <"$state/state.log")
daemon_over
expect "a newer version's log: a client gets an update" timeout 30 binnacle watch --operator --count 1 --runtime /run/binnacle
expect "a newer version's log: the daemon's log reports the newer version" daemon_said 'a newer version wrote it (format 2)'
expect_not "a newer version's log: the daemon refuses to turn services on" services on
stop_daemon
expect_equal "a newer version's log: checksum of the log" "$(sha256sum <"$state/state.log")" "$before"

umount "$state"

# On a RAM file system the daemon reports the fault and stores state.
mount -t tmpfs tmpfs "$state"
chown binnacle:binnacle "$state"
daemon_over
expect "in memory: the daemon answers a status request" serves
expect "in memory: the daemon's log reports the RAM file system" daemon_said 'is in memory: all stored records are lost without power'
expect "in memory: the daemon stores state" keeps
stop_daemon
umount "$state"
