#!/bin/bash
# Tests the packages of "make deb" in a bare Debian under a real systemd: installation, upgrade while programs are
# connected, downgrade, removal, reinstallation, a broken package, purge. Takes two minutes. Needs root, mmdebstrap, and
# what scripts/with-systemd.sh needs.
#   check-deb.sh
# The Debian is that of this system's suite. It is kept in BINNACLE_DEBIAN, else in the user's cache.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
out=$project/build/out
work=$project/build/check-deb

fail() {
  echo "check-deb: $1"
  exit 1
}
say() { echo "check-deb: $1"; }

if [ "${1-}" != --in-service ]; then
  if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null; then
    echo "check-deb: needs root and the package mmdebstrap" >&2
    exit 77
  fi
  architecture=$(dpkg --print-architecture)
  version=$(dpkg-parsechangelog --show-field Version)
  file_of() { echo "$out/$1_${version}_$architecture.deb"; }
  [ -r "$(file_of binnacle)" ] || fail "there is no $(file_of binnacle): 'make deb' builds it"
  scripts/deb-sizes.sh "$out"/*_"${version}_$architecture".deb || fail "a package is too large"

  rm -rf "$work"
  mkdir -p "$work"
  cp "$(file_of binnacle)" "$work/binnacle.deb"
  cp "$(file_of binnacle-sim)" "$work/binnacle-sim.deb"
  # variant NAME VERSION CHANGE COMPRESSION: the package under another version, after a change of its unpacked files.
  variant() {
    rm -rf "$work/tree"
    dpkg-deb --raw-extract "$work/binnacle.deb" "$work/tree"
    sed -i "s/^Version: .*/Version: $2/" "$work/tree/DEBIAN/control"
    (cd "$work/tree" && eval "$3")
    dpkg-deb --root-owner-group "$4" --build "$work/tree" "$work/$1.deb" >/dev/null
    rm -rf "$work/tree"
  }
  variant older "$version~older" true -Znone
  variant newer "$version+newer" 'echo "# A newer text." >>etc/default/binnacle' -Znone
  variant broken "$version+broken" 'sed -i "2i exit 3" DEBIAN/postinst' -Znone
  # The limit of the download must be noticed, too.
  variant large "$version+large" 'head -c 13000000 /dev/urandom >usr/share/binnacle/large' -Znone
  if scripts/deb-sizes.sh "$work/large.deb" >/dev/null 2>&1; then fail "a package of 13 MB is not noticed"; fi
  rm "$work/large.deb"

  # A Debian with what the packages depend on, so that installing needs no network. It is made anew if that has changed.
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debian=${BINNACLE_DEBIAN:-${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/debian-$suite}
  needed=$(for package in binnacle binnacle-sim; do dpkg-deb --field "$work/$package.deb" Depends; done |
    tr ',' '\n' | sed 's/^ *\([^ |]*\).*/\1/' | sort -u | paste -s -d ,)
  needed=$needed,systemd,udev,python3-minimal,procps
  if [ "$(cat "$debian/needed" 2>/dev/null)" != "$needed" ]; then
    say "making a Debian $suite in $debian"
    rm -rf "$debian"
    mkdir -p "$(dirname "$debian")"
    mmdebstrap --quiet --variant=minbase --mode=root --include="$needed" "$suite" "$debian"
    echo "$needed" >"$debian/needed"
  fi
  exec scripts/with-systemd.sh check-deb "$debian" "$project/scripts/check-deb.sh" --in-service "$version"
fi
version=$2

# ---- In the running system.
fail() {
  echo "check-deb: $1"
  cat /run/check/apt 2>/dev/null || true
  journalctl --no-pager --quiet --boot --lines=20 --unit=binnacled --unit=binnacle-launch 2>/dev/null || true
  binnacle apps 2>/dev/null || true
  exit 1
}
value() { systemctl show --value --property="$1" "${2-binnacled}"; }
# wait_for SECONDS WHAT COMMAND...
wait_for() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "not within the time: $what"
    sleep 0.2
  done
}
export DEBIAN_FRONTEND=noninteractive
# apt WORD...: with the administrator's own text of a changed file of settings.
apt() { apt-get --quiet --yes --allow-downgrades -o Dpkg::Options::=--force-confold "$@" >/run/check/apt 2>&1 </dev/null; }
installed() { dpkg-query --show --showformat '${Version} ${db:Status-Status}' binnacle; }
# Everything that is not the package system's own, or written by a running system.
files() {
  find / -xdev \( -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /run -o -path /tmp \
    -o -path /dev -o -path "$project" \) -prune -o -print | sort
}
files >/run/check/before

# ---- Install, over the files of "make install"
mkdir -p /usr/share/binnacle
echo old >/usr/share/binnacle/stray
printf 'f /usr/share/binnacle/stray\nf /usr/share/binnacle/installed\n' >/usr/share/binnacle/installed
apt install "$work/older.deb" "$work/binnacle-sim.deb" || fail "it cannot be installed"
[ "$(installed)" = "$version~older installed" ] || fail "installed is: $(installed)"
[ ! -e /usr/share/binnacle/stray ] && [ ! -e /usr/share/binnacle/installed ] || fail "files of 'make install' are still there"
for group in dialout gpio i2c; do
  id -nG binnacle | grep -w $group >/dev/null || fail "the user binnacle is not in the group $group"
done
id binnacle-console >/dev/null || fail "there is no user for consoles"
[ "$(stat -c %U:%a /run/binnacle)" = binnacle:755 ] || fail "/run/binnacle is not there or not its user's"
for unit in binnacled binnacle-launch; do
  [ "$(systemctl is-enabled $unit)" = enabled ] || fail "$unit is not enabled"
done
[ "$(systemctl is-enabled binnacle-console@ttyS0 || true)" = disabled ] || fail "a console is enabled"
[ "$(value ActiveState binnacle-launch)" = active ] || fail "the launcher does not run"
# This machine is no board with a profile.
[ "$(value ActiveState)/$(value ExecMainStatus)" = failed/78 ] || fail "the daemon is $(value ActiveState), status $(value ExecMainStatus)"
say "installed: users, folders and units are there, the files of 'make install' are gone"

# ---- Settings of an administrator, a receiver, a board with a lamp, and an app in the background that the launcher starts
systemd-run --quiet --unit=receiver binnacle-sim receiver --generation m10 --seed 7 --tty /run/gnss
wait_for 10 "the simulated receiver" test -e /run/gnss
chgrp dialout "$(readlink -f /run/gnss)"
chmod 660 "$(readlink -f /run/gnss)"
systemd-run --quiet --unit=board --uid=binnacle binnacle-sim board --listen /run/binnacle/board.sock
wait_for 10 "the simulated board" test -S /run/binnacle/board.sock
echo 'BINNACLE_OPTIONS=--board virtual --receiver /run/gnss' >>/etc/default/binnacle
mkdir -p /etc/binnacle/boards/virtual.conf.d
printf '[Motion]\nDwellDefault=600 s\n' >/etc/binnacle/boards/virtual.conf.d/dwell.conf
cp /etc/default/binnacle /run/check/default
# An app's program is of another package, so it stays the same.
cp /usr/bin/binnacle /usr/local/bin/tracker
mkdir -p /etc/binnacle/apps.d
cat >/etc/binnacle/apps.d/tracker.app <<END
[App]
Identifier=org.example.tracker
Executable=/usr/local/bin/tracker
Script=yes
Arguments=watch --json --app org.example.tracker --background
User=games
BackgroundModes=location
WhenInUseUsageDescription=Records the route of this vehicle.
END
systemctl reset-failed binnacled
systemctl start binnacled || fail "the daemon does not start"
binnacle watch --operator --json >/run/check/fixes 2>/dev/null &
watcher=$!
is_started() { binnacle start org.example.tracker >/run/check/start 2>&1; }
wait_for 10 "the start of an app" is_started
is_allowed() { binnacle allow org.example.tracker >/run/check/allow 2>&1; }
wait_for 10 "the app can be allowed" is_allowed
tail_of_app() { binnacle output org.example.tracker 2>/dev/null | tail -n 1; }
is_located() { tail_of_app | grep -q '"latitude"'; }
wait_for 30 "a location for the app" is_located
binnacle background org.example.tracker || fail "the app cannot be moved to the background"
app=$(sed -n 's/^process //p' /run/binnacle/launched/org.example.tracker.run)

# upgraded FILE VERSION: upgrades while programs are connected; no update and no answer may be lost.
upgraded() {
  local process grants had
  process=$(value MainPID) grants=$(binnacle grants --json) had=$(grep -c '"latitude"' /run/check/fixes)
  apt install "$1" || fail "upgrading to $2 failed"
  [ "$(installed)" = "$2 installed" ] || fail "installed is: $(installed)"
  [ "$(value ActiveState)" = active ] && [ "$(value MainPID)" != "$process" ] || fail "the daemon was not restarted"
  [ -d "/proc/$app" ] || fail "the app has ended"
  [ -d "/proc/$watcher" ] || fail "the program that follows has ended"
  last=$(tail_of_app)
  app_goes_on() { is_located && [ "$(tail_of_app)" != "$last" ]; }
  wait_for 30 "locations of the app after the upgrade to $2" app_goes_on
  has_more() { [ "$(grep -c '"latitude"' /run/check/fixes)" -gt "$had" ]; }
  wait_for 30 "locations of the program that follows" has_more
  [ "$(binnacle grants --json)" = "$grants" ] || fail "the answers of persons are others: $(binnacle grants --json)"
  grep -q '"background_session":true' <<<"$(binnacle apps --json)" || fail "the app has lost its background session"
  [ "$(sed -n 's/^process //p' /run/binnacle/launched/org.example.tracker.run)" = "$app" ] || fail "the app was started again"
  cmp -s /etc/default/binnacle /run/check/default || fail "the settings of the administrator are changed"
}
upgraded "$work/binnacle.deb" "$version"
upgraded "$work/newer.deb" "$version+newer"
grep -q 'A newer text' /etc/default/binnacle.dpkg-dist || fail "the package's new settings are not beside the old ones"
gap=$(python3 -c 'import re
times = [int(m) for m in re.findall(r"\"received_monotonic_ns\": ?(\d+)", open("/run/check/fixes").read())]
print("%.1f" % (max(b - a for a, b in zip(times, times[1:])) / 1e9))')
say "upgraded twice: the app and the program that follows are the same processes and have locations, the longest gap is $gap s"

# ---- Downgrade
upgraded "$work/binnacle.deb" "$version"
grep -q "this is older than $version+newer" /run/check/apt || fail "a downgrade says nothing"
rm -f /etc/default/binnacle.dpkg-dist
log=/var/lib/binnacle/state.log
systemctl stop binnacled
cp -a "$log" /run/check/state.log
# The same log as a later format would have it: SPEC-state.md keeps the places of version and checksum.
python3 - "$log" <<'END' || fail "$log has no block of a log"
import struct, sys

def crc32c(data):
  crc = 0xFFFFFFFF
  for byte in data:
    crc ^= byte
    for _ in range(8):
      crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
  return crc ^ 0xFFFFFFFF

log = bytearray(open(sys.argv[1], "rb").read())
size = 1 << log[6]
changed = 0
for start in range(0, len(log), size):
  if log[start:start + 4] == b"BnkS" and struct.unpack_from("<I", log, start + 48)[0] == crc32c(log[start:start + 48]):
    log[start + 4] = 2
    struct.pack_into("<I", log, start + 48, crc32c(log[start:start + 48]))
    changed += 1
open(sys.argv[1], "r+b").write(log)
sys.exit(changed == 0)
END
cp "$log" /run/check/newer.log
systemctl start binnacled || fail "the daemon does not start with state of a newer version"
status=0
said=$(binnacle state check "$log" 2>&1) || status=$?
case "$status $said" in
"65 "*"a newer version wrote it (format 2)"*) ;;
*) fail "state of a newer version: status $status, $said" ;;
esac
binnacle status >/run/check/status || true
grep -q -i newer /run/check/status || fail "the status says nothing of the newer version's state: $(cat /run/check/status)"
systemctl stop binnacled
cmp -s "$log" /run/check/newer.log || fail "state of a newer version was changed"
cp -a /run/check/state.log "$log"
systemctl start binnacled
say "downgraded: it says so; state of a newer format is kept as it is, and '$said'"

# ---- A package whose script fails is noticed, and the next one mends it.
if apt install "$work/broken.deb"; then fail "a script that fails is not noticed"; fi
case $(installed) in
*half-configured) ;;
*) fail "after a failed script: $(installed)" ;;
esac
apt install "$work/binnacle.deb" || fail "after a failed script no other package can be installed"
DPKG_MAINTSCRIPT_PACKAGE=binnacle /var/lib/dpkg/info/binnacle.postinst configure "$version" >/run/check/apt 2>&1 ||
  fail "the second run of the script fails"
[ "$(value ActiveState)" = active ] || fail "after a failed script the daemon is $(value ActiveState)"
say "a script that fails is noticed, and mended by the next package; the scripts can run twice"

# ---- Remove
kill "$watcher"
apt remove binnacle || fail "it cannot be removed"
for path in /usr/bin/binnacled /usr/bin/binnacle-launch /usr/bin/binnacle; do [ ! -e $path ] || fail "$path is still there"; done
[ "$(value LoadState)" = not-found ] || [ "$(value ActiveState)" = inactive ] || fail "the daemon still runs"
app_has_ended() { [ ! -d "/proc/$app" ]; }
wait_for 10 "the end of the app, which no program could close any more" app_has_ended
cmp -s /etc/default/binnacle /run/check/default || fail "removing has taken the settings"
[ -s "$log" ] || fail "removing has taken the state"
say "removed: programs, services and apps are gone, settings and state are kept"

# ---- Install again
apt install "$work/binnacle.deb" || fail "it cannot be installed again"
cmp -s /etc/default/binnacle /run/check/default && [ -s /etc/binnacle/boards/virtual.conf.d/dwell.conf ] ||
  fail "installing again has changed the settings"
is_active() { [ "$(value ActiveState)" = active ]; }
wait_for 10 "the daemon" is_active
binnacle grants --json | grep -q '"id":"org.example.tracker"' || fail "the answers of persons are gone"
say "installed again: with the settings and the answers of before"

# ---- Purge
apt purge binnacle binnacle-sim || fail "it cannot be purged"
rm /etc/binnacle/apps.d/tracker.app /usr/local/bin/tracker
rmdir /etc/binnacle/apps.d /etc/binnacle || fail "more than a manifest is left in /etc/binnacle"
systemctl stop receiver board 2>/dev/null || true
files >/run/check/after
# The users stay, with the copies that the system makes of their files.
left=$(diff /run/check/before /run/check/after | sed -n 's/^[<>]/&/p' | grep -v -E '^> /etc/(passwd|group|shadow|gshadow|subuid|subgid)-$|^> /etc/\.pwd\.lock$' || true)
[ -z "$left" ] || fail "after the purge there are other files: $left"
[ ! -e /run/binnacle ] || fail "/run/binnacle is left"
say "purged: the files are those of before; only the users are left"
