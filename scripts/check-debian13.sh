#!/bin/sh
# Builds and tests, for debugging and for use, on a bare Debian 13: its own Swift 6.0.3 is the oldest that is
# supported, its libgpiod is 2.x, its systemd and udev check what is installed.
set -eu
exec "$(dirname "$0")/in-debian13.sh" sh -c '
  make deps && swift --version 2>&1 | head -n 1 && dpkg-query --show libgpiod-dev libc6 systemd &&
  make test release no-foundation check-install && make run SECONDS=10'
