#!/bin/bash
# Shows what the scripts around "make install" do as root, as a user, under sudo and without sudo. It changes nothing:
# programs that would are stand-ins in a folder that comes first in PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
# The options of the make that runs this script are not for the make commands below; make exports variables such as BUILT=yes, too.
unset MAKEFLAGS BUILT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
project=$work/project
mkdir -p "$work/bin" "$work/bare" "$project"
cp -R Makefile scripts "$project"
said=

# stand_in NAME TEXT: a program that prints or does TEXT, a piece of shell.
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# see STATUS WORDS COMMAND...: COMMAND must end with STATUS and say WORDS.
see() {
  local wanted=$1 words=$2 status=0
  shift 2
  said=$("$@" 2>&1) || status=$?
  if [ "$status" != "$wanted" ] || [[ "$said" != *"$words"* ]]; then
    printf 'check-root: status %s and "%s" were to be seen, not %s and:\n%s\n' "$wanted" "$words" "$status" "$said" >&2
    exit 1
  fi
}

# not_said WORDS
not_said() {
  if [[ "$said" == *"$1"* ]]; then
    printf 'check-root: "%s" was not to be seen in:\n%s\n' "$1" "$said" >&2
    exit 1
  fi
}

PATH=$work/bin:$PATH
installed_amd64='for name; do :; done
case $name in
libgpiod-dev) printf "arm64 installed\namd64 installed\n" ;;
debian-archive-keyring) echo "all installed" ;;
xz-utils) echo "arm64 installed" ;;
*) echo "amd64 installed" ;;
esac'
stand_in dpkg 'echo amd64'
stand_in dpkg-query "$installed_amd64"
stand_in apt-get 'echo "apt-get $*"'
stand_in apt-cache 'true'
stand_in id 'echo 1000'
stand_in sudo 'echo "sudo $*"; exec "$@"'
stand_in ldd 'true'

# A package counts as installed if it is installed for this machine's architecture; other architectures do not count.
see 0 "" scripts/install-packages.sh build
not_said apt-get
see 0 "sudo apt-get update" scripts/install-packages.sh bench-kernel
not_said debian-archive-keyring
see 0 "--no-install-recommends xz-utils" scripts/install-packages.sh bench-kernel

# Without sudo: the line for root.
for tool in sh dirname cat basename readlink grep env; do ln -s "$(command -v $tool)" "$work/bare"; done
for tool in dpkg dpkg-query id ldd; do cp "$work/bin/$tool" "$work/bare"; done
see 77 "apt-get update && apt-get install --yes --no-install-recommends xz-utils" \
  env PATH="$work/bare" scripts/install-packages.sh bench-kernel
see 77 "cd '$PWD' && env DESTDIR= PREFIX=/usr scripts/install.sh" \
  env PATH="$work/bare" scripts/as-root.sh env DESTDIR= PREFIX=/usr scripts/install.sh
see 0 "sudo echo installed" scripts/as-root.sh echo installed

# Under sudo root builds nothing in the folder of a user; installing has the user build.
stand_in id 'if [ -n "${RUNUSER-}" ]; then echo 1000; else echo 0; fi'
stand_in stat 'case $* in *%u*) echo 1000 ;; *) echo tester ;; esac'
stand_in getent 'echo "tester:x:1000:1000::/home/tester:/bin/sh"'
stand_in runuser 'echo "runuser $*"; while [ "$1" != -- ]; do shift; done; shift; RUNUSER=yes exec "$@"'
stand_in swift '[ -n "${RUNUSER-}" ] || echo "swift as root"'
see 2 'root builds nothing in the folder of tester: run "make release" without sudo' \
  env SUDO_UID=1000 make -C "$project" release
see 0 "make install" env SUDO_UID=1000 make -C "$project" help
for script in install make-toolset; do printf '#!/bin/sh\necho "%s $DESTDIR"\n' $script >"$project/scripts/$script.sh"; done
see 0 "install $work/there" env SUDO_UID=1000 make -C "$project" install DESTDIR="$work/there"
not_said "swift as root"
[[ "$said" == *"runuser --user tester -- env HOME=/home/tester"*" make --no-print-directory release toolset"* ]] || {
  printf 'check-root: the owner did not build:\n%s\n' "$said" >&2
  exit 1
}
# Root in a folder of its own builds.
stand_in stat 'case $* in *%u*) echo 0 ;; *) echo root ;; esac'
see 0 "swift as root" env SUDO_UID=1000 make -C "$project" install DESTDIR="$work/there"
not_said runuser
echo "check-root: root installs and does not build, and packages of other architectures do not count"
