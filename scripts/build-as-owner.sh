#!/bin/sh
# Runs make for goals that build; root has the owner of this folder do it. Files that root had built here would belong to
# root, and the owner could build no more.
#   build-as-owner.sh GOAL...
set -eu
cd "$(dirname "$0")/.."
owner=$(stat --format %u .)
# In a container the owner may be a user of the host, whose name is unknown here.
if [ "$(id -u)" != 0 ] || [ "$owner" = 0 ] || ! entry=$(getent passwd "$owner"); then
  exec make --no-print-directory "$@"
fi

name=${entry%%:*}
home=$(echo "$entry" | cut -d: -f6)
# sudo leaves only the system's folders in PATH. A toolchain of the owner's own is where the owner's shell finds it.
if ! command -v "${SWIFT:-swift}" >/dev/null && found=$(runuser --login "$name" --command 'command -v swift' 2>/dev/null); then
  PATH=$PATH:$(dirname "$found")
fi
echo "install: $name builds, root installs"
exec runuser --user "$name" -- env HOME="$home" USER="$name" LOGNAME="$name" PATH="$PATH" make --no-print-directory "$@"
