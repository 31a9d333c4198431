#!/bin/sh
# Runs a command as root: at once, by sudo, or, where there is no sudo, not at all but with the line to run.
#   as-root.sh COMMAND...
set -eu
if [ "$(id -u)" = 0 ]; then exec "$@"; fi
if command -v sudo >/dev/null; then exec sudo "$@"; fi
echo "This needs root, and there is no sudo here. Run this as root:" >&2
echo "  cd '$PWD' && $*" >&2
exit 77
