#!/bin/bash
# Runs a command in the project's folder on a bare Debian 13: in-debian13.sh COMMAND...
# The Debian is made on first use and kept in BINNACLE_TRIXIE, else in the user's cache (4 GB with its Swift). The command
# works on a copy of the files, in /root/binnacle there; build products stay there for the next run. The files below build/in
# here are there too, and the files that the command puts below build/out come back to build/out here, with this folder's owner.
#   BINNACLE_SHOWN   another folder. The command sees it and this folder below /host, so relative paths between both are valid.
# Needs root, by sudo for an ordinary user.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
debian=${BINNACLE_TRIXIE:-${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/trixie}
data=${BINNACLE_TEST_DATA:-$root/../shared/data}
shown=${BINNACLE_SHOWN-}

if [ "$(id -u)" != 0 ]; then
  exec "$root/scripts/as-root.sh" env ${BINNACLE_TRIXIE:+"BINNACLE_TRIXIE=$debian"} "BINNACLE_TEST_DATA=$data" \
    "BINNACLE_SHOWN=$shown" "BINNACLE_REQUIRE=${BINNACLE_REQUIRE-}" "TERM=${TERM:-dumb}" "$root/scripts/in-debian13.sh" "$@"
fi
"$root/scripts/install-packages.sh" debian13
if [ ! -d "$debian" ]; then
  mkdir -p "$(dirname "$debian")"
  echo "in-debian13: making a Debian 13 in $debian; with its Swift it takes 4 GB and some minutes"
  mmdebstrap --variant=minbase --mode=root --include=ca-certificates,make,git,systemd,udev,man-db,python3 \
    trixie "$debian.part"
  mv "$debian.part" "$debian"
fi

# The files of the work tree as they are, with their times, so that a second run builds what changed.
project=$debian/root/binnacle
mkdir -p "$project" "$debian/root/shared/data"
find "$project" -mindepth 1 -maxdepth 1 ! -name '.build*' ! -name build -exec rm -rf {} +
rm -rf "$project/build/out" "$project/build/in"
(cd "$root" && git -c safe.directory="$root" ls-files --cached --others --exclude-standard -z |
  tar --create --null --files-from - --ignore-failed-read 2>/dev/null) | tar --extract -C "$project"
if [ -d "$root/build/in" ]; then
  mkdir -p "$project/build"
  cp -R "$root/build/in" "$project/build/in"
fi

# /proc must be there: Debian's swift looks for its libraries beside itself. The root is a mount point, as on a machine:
# unshare(1) fails without one.
status=0
unshare --mount --propagation private bash -c '
  debian=$1 data=$2 root=$3 shown=$4
  shift 4
  mount --bind "$debian" "$debian"
  mount -t proc proc "$debian/proc"
  mount --rbind /dev "$debian/dev"
  [ ! -d "$data" ] || mount --bind "$data" "$debian/root/shared/data"
  for folder in ${shown:+"$root" "$shown"}; do
    mkdir -p "$debian/host$folder"
    mount --bind "$folder" "$debian/host$folder"
  done
  exec chroot "$debian" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    BINNACLE_REQUIRE="${BINNACLE_REQUIRE-}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/libexec/swift/bin \
    sh -c "cd /root/binnacle && \"\$@\"" sh "$@"
' bash "$debian" "$data" "$root" "$shown" "$@" || status=$?

if [ -d "$project/build/out" ]; then
  mkdir -p "$root/build/out"
  cp -a --no-preserve=ownership "$project/build/out/." "$root/build/out/"
fi
# Under sudo what root has made here belongs to the user, who could not remove it otherwise.
for folder in build/in build/out; do
  [ ! -d "$root/$folder" ] || chown --no-dereference --recursive --reference="$root" "$root/$folder"
done
[ ! -d "$root/build" ] || chown --no-dereference --reference="$root" "$root/build"
exit "$status"
