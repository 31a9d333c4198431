#!/bin/sh
# Builds and tests a package that does not list this one with "import CoreLocation"; status 0 when it passes.
# Run make-toolset.sh first.
#   check-third-party.sh [TOOLSET]    (build/toolset/toolset.json)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
toolset=${1:-$root/build/toolset/toolset.json}
swift=${SWIFT:-swift}

[ -r "$toolset" ] || { echo "check-third-party: $toolset is not there; make toolset" >&2; exit 66; }
if ! $swift test --help 2>&1 | grep -q -e '--toolset'; then
  echo "check-third-party: this Swift has no 'swift test --toolset'; 6.1 or later has" >&2
  exit 69
fi
$swift test --package-path "$root/Tests/ThirdParty" --scratch-path "$root/.build-third-party" \
  --toolset "$toolset" --disable-xctest
