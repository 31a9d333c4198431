#!/bin/sh
# Installs the Debian packages that are missing: install-packages.sh build|test|deb|sizes|perf|perf-state|plots|pictures|geoclue|bench|bench-kernel|image|update|run-image|debian13
# Asks for root by sudo only when something is missing; runs nothing when all is there.
set -eu

# A package may be there for several architectures; only the machine's own counts.
installed() {
  dpkg-query --show --showformat '${Architecture} ${db:Status-Status}\n' "$1" 2>/dev/null |
    grep -q -x -e "$architecture installed" -e 'all installed'
}

# Whether a toolchain that did not come as a package lacks libraries that its programs start with.
toolchain_lacks_libraries() {
  folder=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
  for program in swift-build swift-frontend clang lld; do
    ldd "$folder/$program" 2>/dev/null
  done | grep -q 'not found'
}

case "$1" in
build)
  # g++ brings the linker's start files and the C++ library that Swift's own runtime links to.
  wanted="make git binutils libc6-dev g++ libi2c-dev libgpiod-dev zlib1g-dev libedit-dev libcrypt-dev"
  if ! command -v "${SWIFT:-swift}" >/dev/null; then
    wanted="$wanted swiftlang"
  elif toolchain_lacks_libraries; then
    wanted="$wanted libncurses6 libsqlite3-0 libcurl4 libxml2 libedit2"
  fi
  ;;
# The packages that build and check ours; dpkg-buildpackage insists on build-essential.
deb) wanted="build-essential dpkg-dev debhelper chrpath fakeroot lintian" ;;
sizes) wanted="binutils xz-utils" ;;
# A terminal for tests that type keys and read the screen.
test) wanted="tmux bash" ;;
bench)
  # libc6-dev has the static C library; the rest looks at the virtual hardware from outside.
  wanted="gcc libc6-dev python3 kmod gpiod gpsd gpsd-clients i2c-tools e2fsprogs systemd udev util-linux passwd procps"
  ;;
bench-kernel)
  wanted="gcc libc6-dev make bc bison flex libelf-dev patch perl xz-utils debian-archive-keyring"
  ;;
perf-state)
  # Python's own library has SQLite.
  wanted="python3 python3-lmdb"
  ;;
# Programs of others that read the exports, and a browser.
pictures) wanted="gpsbabel gdal-bin libxml2-utils python3 chromium fonts-dejavu-core" ;;
image)
  # The root file system is Debian's own, so its packages are chosen, unpacked and configured by Debian's tools.
  wanted="mmdebstrap qemu-user-static uidmap python3 systemd kmod cpio xz-utils e2fsprogs dosfstools mtools fdisk u-boot-tools
    device-tree-compiler"
  ;;
debian13) wanted="mmdebstrap ca-certificates git" ;;
update) wanted="openssh-client e2fsprogs fdisk mtools python3 util-linux" ;;
run-image) wanted="qemu-system-arm openssh-client e2fsprogs mtools fdisk device-tree-compiler python3" ;;
# The service, a client of it, and a message bus.
geoclue) wanted="geoclue-2.0 geoclue-2-demo dbus util-linux" ;;
plots) wanted="python3 python3-matplotlib" ;;
perf) wanted="gpsd gpsd-clients python3 valgrind binutils" ;;
*)
  echo "usage: install-packages.sh build|test|deb|sizes|perf|perf-state|plots|pictures|geoclue|bench|bench-kernel|image|update|run-image|debian13" >&2
  exit 64
  ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "deps: not a Debian system; needed are: $wanted" >&2
  exit 0
fi

architecture=$(dpkg --print-architecture)
missing=
for package in $wanted; do
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  if ! command -v sudo >/dev/null; then
    echo "deps: packages are missing, and there is no sudo here. Run this as root, then make again:" >&2
    echo "  apt-get update && apt-get install --yes --no-install-recommends$missing" >&2
    exit 77
  fi
fi
echo "deps: installing$missing"
$as_root apt-get update
case "$missing" in
*swiftlang*)
  if ! apt-cache show swiftlang >/dev/null 2>&1; then
    echo "deps: there is no Swift here and this distribution has none;" \
      "install a toolchain from swift.org (6.0 or later) and put it on PATH" >&2
    exit 1
  fi
  ;;
esac
# The list is split into words on purpose.
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $missing
