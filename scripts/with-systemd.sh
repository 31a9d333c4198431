#!/bin/bash
# Runs a command under a real systemd: with-systemd.sh NAME BASE COMMAND...
# The systemd is that of BASE, which is / or the folder of a Debian, as the first process of namespaces of its own, on a
# layer over BASE that is gone afterwards. The command has five minutes. It finds the project at the project's place, and
# an empty folder at /run/check. Its output is printed here at its end. Its words are without spaces.
# Where that cannot be (no root, no systemd, no overlay) it says so in NAME's name and is content.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD

if [ "$1" != --inside ]; then
  name=$1 base=$(realpath "$2")
  shift 2
  skip() {
    echo "$name: skipped, $1"
    exit 0
  }
  [ "$(id -u)" = 0 ] || skip "only root can start a systemd of its own"
  systemd=/usr/lib/systemd/systemd
  [ -x "$base$systemd" ] || systemd=/lib/systemd/systemd
  [ -x "$base$systemd" ] || skip "there is no systemd in $base"
  for tool in unshare setpriv; do
    command -v $tool >/dev/null || skip "there is no $tool here"
  done
  for tool in udevadm systemctl; do
    chroot "$base" sh -c "command -v $tool" >/dev/null || skip "there is no $tool in $base"
  done
  work=$(mktemp -d)
  # The machine's own systemd must see nothing of it: a control group beside its own, in namespaces of its own.
  group=$work/groups/binnacle-check-$$
  clean_up() {
    find "$group" -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null || true
    rmdir "$group" 2>/dev/null || true
    umount "$work/groups" 2>/dev/null || true
    umount "$work" 2>/dev/null || true
    rm -rf "$work"
  }
  trap clean_up EXIT
  mount -t tmpfs tmpfs "$work"
  mkdir "$work/groups" "$work/layer" "$work/scratch" "$work/root"
  mount -t cgroup2 none "$work/groups" && mkdir "$group" || skip "no control group can be made"
  # A file system that is a layer itself, as in many containers, takes no other layer.
  unshare --mount mount -t overlay overlay \
    -o "lowerdir=$base,upperdir=$work/layer,workdir=$work/scratch" "$work/root" 2>/dev/null ||
    skip "no layer can be laid over this file system"
  result=0
  (
    echo "$BASHPID" >"$group/cgroup.procs"
    exec timeout --kill-after=5 300 unshare --mount --pid --fork --kill-child --cgroup --uts --ipc --net \
      bash "$project/scripts/with-systemd.sh" --inside "$work" "$base" "$systemd" "$@"
  ) || result=$?
  cat "$work/said" 2>/dev/null || true
  [ "$result" = 0 ] || echo "$name: failed ($result)" >&2
  exit "$result"
fi

# The first process: makes the root and becomes systemd.
work=$2 base=$3 systemd=$4
shift 4
root=$work/root
mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/layer,workdir=$work/scratch" "$root"
mount -t proc proc "$root/proc"
# Units name these by their class, whose number every kernel gives itself; a Raspberry Pi has these.
cp /proc/devices "$work/devices"
for class in "4 ttyS" "204 ttyAMA" "254 gpiochip"; do
  grep -q " ${class#* }$" "$work/devices" || sed -i "/^Character/a $class" "$work/devices"
done
mount --bind "$work/devices" "$root/proc/devices"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for folder in dev run tmp etc/systemd/system; do mount -t tmpfs -o mode=755 tmpfs "$root/$folder"; done
chmod 1777 "$root/tmp"
for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
  read -r node major minor <<<"$device"
  mknod -m 666 "$root/dev/$node" c "$major" "$minor"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mkdir -p "$root$project" "$root/run/check"
mount --bind "$project" "$root$project"
mount --bind "$work" "$root/run/check"
: >"$root/etc/fstab"
: >"$root/etc/machine-id"
rm -rf "$root/etc/binnacle" "$root/etc/default/binnacle" "$root/var/lib/binnacle"
sed -i /^binnacle:/d "$root/etc/passwd" "$root/etc/shadow"
sed -i '/^binnacle:/d; s/\([:,]\)binnacle\b/\1/g' "$root/etc/group" "$root/etc/gshadow"
# The effects of a boot on the machine (parameters, clock, consoles, coldplug) are left out.
wants=$root/${systemd%/systemd}/system/sysinit.target.wants
mount -t tmpfs tmpfs "$wants"
for unit in systemd-journald systemd-udevd; do ln -s "../$unit.service" "$wants"; done
cat >"$root/etc/systemd/system/check.target" <<END
[Unit]
Requires=sysinit.target check.service
AllowIsolate=yes
END
cat >"$root/etc/systemd/system/check.service" <<END
[Service]
Type=oneshot
ExecStart=$*
ExecStopPost=/bin/sh -c 'case \$\$EXIT_STATUS in [0-9]*) ;; *) EXIT_STATUS=1 ;; esac; systemctl exit \$\$EXIT_STATUS'
StandardOutput=append:/run/check/said
StandardError=append:/run/check/said
TimeoutStartSec=290
END
export container=check
# Modules and the clock are the machine's.
exec setpriv --bounding-set=-sys_module,-sys_time,-sys_rawio \
  chroot "$root" "$systemd" --unit=check.target --log-target=journal </dev/null >/dev/null 2>&1
