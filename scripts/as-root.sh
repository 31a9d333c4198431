#!/bin/sh
# Runs a command as root: directly if the caller is root, else by sudo; without sudo it prints the command and fails.
#   as-root.sh COMMAND...
set -eu
if [ "$(id -u)" = 0 ]; then exec "$@"; fi
if command -v sudo >/dev/null; then exec sudo "$@"; fi
echo "This needs root, and there is no sudo here. Run this as root:" >&2
echo "  cd '$PWD' && $*" >&2
exit 77
