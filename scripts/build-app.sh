#!/bin/sh
# Builds an app that lists the package Binnacle, with the Swift runtime inside: build-app.sh FOLDER [ARCHITECTURE]
# The programs become build/out/NAME-ARCHITECTURE. For another architecture the build takes place where the SDK for it is. On a
# system without the SDK that is a bare Debian 13, which sees the folder below /host.
#   SWIFT   the toolchain
#   SDKS    the folder of the SDK
set -eu
cd "$(dirname "$0")/.."
sdks=${SDKS:-/usr/local/lib/swift-sdks}
own=$(dpkg --print-architecture)
architecture=${2:-$own}
if [ ! -r "${1:-.}/Package.swift" ] || [ "$(readlink -f "${1:-.}")" = "$PWD" ]; then
  echo "build-app: APP= names the folder of your app's Package.swift: make app APP=../route ARCH=arm64" >&2
  exit 64
fi
app=$(readlink -f "$1")
if ! grep -q -i binnacle "$app/Package.swift"; then
  echo "build-app: $app/Package.swift does not list Binnacle; Docs/APPS.md has the lines under \"List the package\"" >&2
  exit 65
fi

sdk=
if [ "$architecture" != "$own" ]; then
  [ "$architecture" = arm64 ] || { echo "build-app: there is no SDK for $architecture, only for arm64" >&2; exit 64; }
  [ -r "$sdks/version" ] || exec env BINNACLE_SHOWN="$app" scripts/with-arm64-sdk.sh scripts/build-app.sh "/host$app" "$architecture"
  sdk="--swift-sdks-path $sdks --swift-sdk binnacle-$architecture"
else
  scripts/install-packages.sh build
fi

# "make" sets BINNACLE_QUICK for its own builds. SwiftPM refuses its compiler flags in a package that another package lists.
unset BINNACLE_QUICK
scratch=.build-app/$architecture-$(echo "$app" | cksum | cut -d ' ' -f 1)
# in_app [OPTION...]: swift build in the app's folder. $sdk is words.
in_app() {
  # shellcheck disable=SC2086
  ${SWIFT:-swift} build -c release --static-swift-stdlib --package-path "$app" --scratch-path "$scratch" $sdk "$@"
}
folder=$(in_app --show-bin-path)
# A program that the app no longer has must not be copied.
find "$folder" -maxdepth 1 -type f -executable -delete 2>/dev/null || true
in_app
for program in $(find "$folder" -maxdepth 1 -type f -executable ! -name '*.so' -printf '%f\n'); do
  install -D "$folder/$program" "build/out/$program-$architecture"
  echo "build-app: build/out/$program-$architecture, $(du -h "$folder/$program" | cut -f 1)"
done
