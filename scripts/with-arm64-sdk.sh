#!/bin/sh
# Runs a command of this project where there is the SDK for arm64: with-arm64-sdk.sh COMMAND...
# On a system without the SDK the command runs on a bare Debian 13 (in-debian13.sh). The packages that building needs are installed there.
#   SDKS   the folder of the SDK
set -eu
cd "$(dirname "$0")/.."
sdks=${SDKS:-/usr/local/lib/swift-sdks}
if [ ! -r "$sdks/version" ] && [ "${BINNACLE_ROOT_OF_DEBIAN13-}" != yes ]; then
  exec scripts/in-debian13.sh env BINNACLE_ROOT_OF_DEBIAN13=yes scripts/with-arm64-sdk.sh "$@"
fi
scripts/install-packages.sh build
scripts/make-arm64-sdk.sh "$sdks"
exec "$@"
