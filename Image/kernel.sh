#!/bin/bash
# Downloads the newest kernel for arm64 of a suite of Debian, and makes a tar of it: kernel.sh SUITE TAR
# The tar has the kernel and its modules where the packages of Debian 13 have them, and a list of the packages.
set -euo pipefail
suite=$1
tar=$2
mkdir -p "$(dirname "$tar")"
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives,root/boot,packages}/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" >"$work/sources.list"
: >"$work/status"
# The machine's own lists and packages are left alone.
cat >"$work/apt.conf" <<CONFIG
APT::Architecture "arm64"; APT::Architectures "arm64"; APT::Sandbox::User "";
Dir::Etc::sourcelist "$work/sources.list"; Dir::Etc::sourceparts "-";
Dir::State::lists "$work/lists"; Dir::State::status "$work/status"; Dir::Cache "$work/cache";
CONFIG
export APT_CONFIG=$work/apt.conf

depends_on() { apt-cache depends "$1" | sed -n "s/^ *Depends: \($2\)$/\1/p"; }

apt-get -qq update
kernel=$(depends_on linux-image-arm64 'linux-image-[0-9].*' | head -n 1)
[ -n "$kernel" ] || { echo "kernel: $suite has no linux-image-arm64" >&2; exit 1; }
version=${kernel#linux-image-}
# Newer kernels have several packages for one version.
mapfile -t parts < <(depends_on "$kernel" "linux-.*-$version")
echo "image: the kernel of $suite is $version"
(cd "$work/packages" && apt-get -qq download "$kernel" "${parts[@]}")
for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$work/root"; done

cd "$work/root"
kernel=usr/lib/modules/$version/vmlinuz
[ ! -e "$kernel" ] || mv "$kernel" "boot/vmlinuz-$version"
mkdir -p usr/share/binnacle-image
(cd "$work/packages" && ls ./*.deb) | sed 's|^\./||' >usr/share/binnacle-image/kernel
tar --create --file "$tar.part" --owner 0 --group 0 boot usr/lib usr/share/binnacle-image
mv "$tar.part" "$tar"
