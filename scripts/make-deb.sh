#!/bin/sh
# Builds Debian packages into build/out: make-deb.sh [ARCHITECTURE]
# An ordinary user can do it where the packages of Build-Depends are installed. For another architecture, and on a system
# without the SDK for it, the build takes place on a bare Debian 13.
#   SDKS   the folder of the SDK
set -eu
cd "$(dirname "$0")/.."
sdks=${SDKS:-/usr/local/lib/swift-sdks}
own=$(dpkg --print-architecture)
architecture=${1:-$own}
out=$PWD/build/out

scripts/install-packages.sh build
scripts/install-packages.sh deb
if [ "$architecture" != "$own" ]; then
  [ "$architecture" = arm64 ] || { echo "make-deb: there is no SDK for $architecture, only for arm64" >&2; exit 64; }
  [ -r "$sdks/version" ] || exec scripts/with-arm64-sdk.sh scripts/make-deb.sh "$architecture"
  scripts/make-arm64-sdk.sh "$sdks"
fi

version=$(dpkg-parsechangelog --show-field Version)
grep -q "version = \"${version%%[+~-]*}\"" Sources/Model/Release.swift ||
  { echo "make-deb: debian/changelog says $version, and Sources/Model/Release.swift says otherwise" >&2; exit 65; }
# A toolchain that is no package takes the place of the package swiftlang.
profile=
dpkg-query --show swiftlang >/dev/null 2>&1 || profile=--build-profiles=pkg.binnacle.toolchain
mkdir -p "$out"
rm -f "$out"/*_"$architecture".*
# All output goes to $out; by default dpkg-buildpackage writes to the folder above the project.
set -- --build=binary --unsigned-changes --unsigned-buildinfo --host-arch "$architecture" $profile \
  --buildinfo-file="$out/binnacle_${version}_$architecture.buildinfo" --buildinfo-option=-u"$out" \
  --changes-file="$out/binnacle_${version}_$architecture.changes" --changes-option=-u"$out"
# In a cross-build the libraries of the SDK take the place of cross packages that would be in its way.
[ "$architecture" = "$own" ] || set -- "$@" --no-check-builddeps
OUT=$out DEB_BUILD_OPTIONS="nocheck${DEB_BUILD_OPTIONS:+ $DEB_BUILD_OPTIONS}" dpkg-buildpackage "$@"

# Errors and warnings of the packages' checker; debian/*.lintian-overrides has the reasons of exceptions.
lintian --fail-on error,warning "$out/binnacle_${version}_$architecture.changes"

scripts/deb-sizes.sh "$out"/*_"${version}_$architecture".deb
