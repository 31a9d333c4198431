#!/bin/sh
# Unpacks libgpiod 2.x with its headers into a folder, beside the one that is installed: unpack-libgpiod2.sh FOLDER
# On a Debian that has 2.x itself it comes from there, on Debian 12 from bookworm-backports. The system's own
# lists and packages are left alone; root is not needed.
set -eu
folder=$1
[ ! -e "$folder/usr/include/gpiod.h" ] || exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
mirror=http://deb.debian.org/debian
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-trixie}")
[ "$suite" != bookworm ] || suite=bookworm-backports
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
  >"$folder/apt/sources.list"
private() {
  apt-get -qq -o Dir::Etc::sourcelist="$(realpath "$folder")/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$(realpath "$folder")/apt/lists" -o APT::Sandbox::User= \
    -o Dir::Cache="$(realpath "$folder")/apt/cache" "$@"
}
private update
(cd "$folder" && rm -f ./*.deb && private download libgpiod3 libgpiod-dev)
for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$folder/apt"
grep -q gpiod_line_settings_new "$folder/usr/include/gpiod.h" || {
  echo "unpack-libgpiod2: $suite has no libgpiod 2" >&2
  rm -rf "$folder/usr"
  exit 1
}
