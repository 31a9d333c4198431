#!/bin/sh
# Unpacks libgpiod 2.x with its headers into a folder, beside the one that is installed: unpack-libgpiod2.sh FOLDER
# On a Debian that has 2.x itself it comes from there, on Debian 12 from bookworm-backports. The system's own
# lists and packages are left alone; root is not needed.
set -eu
mkdir -p "$1"
folder=$(realpath "$1")
[ ! -e "$folder/usr/include/gpiod.h" ] || exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
mirror=http://deb.debian.org/debian
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-trixie}")
[ "$suite" != bookworm ] || suite=bookworm-backports
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
  >"$folder/apt/sources.list"
private() {
  apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$folder/apt/lists" -o APT::Sandbox::User= \
    -o Dir::Cache="$folder/apt/cache" "$@"
}
private update
(cd "$folder" && rm -f ./*.deb && private download libgpiod3 libgpiod-dev)
for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$folder/apt" "$folder"/*.deb
# Where the libraries are, whatever the machine is called.
(cd "$folder" && ln -sfn usr/lib/*-linux-gnu* lib)
grep -q gpiod_line_settings_new "$folder/usr/include/gpiod.h" || {
  echo "unpack-libgpiod2: $suite has no libgpiod 2" >&2
  rm -rf "$folder/usr"
  exit 1
}
