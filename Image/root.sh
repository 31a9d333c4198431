#!/bin/bash
# Makes the root file system of the images from Debian's packages, once: root.sh TAR
# The maintainer scripts of the packages run emulated, which takes minutes; so the tar is kept.
# Beside the packages of packages.txt the tar has kernel, firmware and boot loader, unpacked without their scripts.
set -euo pipefail
cd "$(dirname "$0")"
tar=$1
packages=$(sed '/^#/d' packages.txt | paste --serial --delimiters=,)
mkdir -p "$(dirname "$tar")"

# mmdebstrap hands the root over as its argument. The kernel's own scripts would make an initial file system, emulated.
hook=$(dirname "$tar")/unpack-boot.sh
cat >"$hook" <<'HOOK'
#!/bin/bash
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
kernel=$(apt-cache depends linux-image-arm64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
apt-get --quiet --option APT::Sandbox::User=root download "$kernel" raspi-firmware u-boot-rpi u-boot-qemu busybox-static \
  firmware-brcm80211
for package in *.deb; do dpkg-deb --extract "$package" "$root"; done
mkdir -p "$root/usr/share/binnacle-image"
chroot "$root" dpkg-query --show >"$root/usr/share/binnacle-image/packages"
ls *.deb >>"$root/usr/share/binnacle-image/packages"
HOOK
chmod 755 "$hook"

echo "image: making the root file system; the emulated scripts of the packages take several minutes"
nice ./in-namespace.py mmdebstrap --quiet --variant=minbase --mode=root --skip=check/qemu --architectures=arm64 \
  --components=main,non-free-firmware --include="$packages" \
  --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
  --customize-hook="$hook" trixie "$tar.part.tar"
mv "$tar.part.tar" "$tar"
