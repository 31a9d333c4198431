#!/bin/sh
# Makes a Swift SDK for arm64 out of Debian's own packages, on Debian 13 (amd64) with its Swift: make-arm64-sdk.sh FOLDER
# Headers and libraries of arm64 are installed beside those of the machine. The arm64 Swift cannot be installed beside the
# machine's: its runtime is unpacked into the SDK. An SDK of the compiler's version stays as it is. Needs root.
set -eu
swift=$(dpkg-query --show --showformat '${Version}' swiftlang 2>/dev/null) || swift=
if [ -z "$swift" ] || [ "$(dpkg --print-architecture)" != amd64 ]; then
  echo "make-arm64-sdk: needs Debian 13 (amd64) with the package swiftlang; scripts/in-debian13.sh makes one" >&2
  exit 69
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
bundle=$folder/binnacle-arm64.artifactbundle
if [ "$(cat "$folder/version" 2>/dev/null)" != "$swift" ]; then
  [ "$(id -u)" = 0 ] || { echo "make-arm64-sdk: needs root, to install libraries for arm64" >&2; exit 77; }
  dpkg --add-architecture arm64
  apt-get -qq update
  # Not the cross compiler's packages: clang would take their headers for those of the SDK.
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends qemu-user binutils-aarch64-linux-gnu \
    libc6-dev:arm64 libstdc++-14-dev:arm64 libgpiod-dev:arm64 libi2c-dev:arm64 zlib1g-dev:arm64 libedit-dev:arm64 >/dev/null

  rm -rf "$bundle" "$folder/version" "$folder/download"
  sysroot=$bundle/arm64/sysroot
  mkdir -p "$sysroot/usr/lib/gcc" "$folder/download"
  # The user of apt's sandbox may write here.
  chown _apt "$folder/download" 2>/dev/null || true
  (cd "$folder/download" && apt-get -qq download "swiftlang:arm64=$swift" "libswiftlang:arm64=$swift")
  for package in "$folder"/download/*.deb; do
    # Without what belongs to the compiler and to SwiftPM.
    dpkg-deb --fsys-tarfile "$package" | tar --extract --directory "$sysroot/usr" --strip-components=4 --wildcards \
      './usr/libexec/swift/lib/swift*' --exclude='*/_InternalSwift*' --exclude='*/lib_InternalSwift*' --exclude='*/embedded' \
      --exclude='*/clang' --exclude='*/host' --exclude='*/pm' --exclude='*/migrator' --exclude='*/FrameworkABIBaseline'
  done
  rm -rf "$folder/download"

  # The headers of clang are the compiler's own.
  for resources in swift swift_static; do ln -s /usr/libexec/swift/lib/swift/clang "$sysroot/usr/lib/$resources/clang"; done
  ln -s usr/lib "$sysroot/lib"
  ln -s /usr/include "$sysroot/usr/include"
  ln -s /usr/lib/aarch64-linux-gnu "$sysroot/usr/lib/aarch64-linux-gnu"
  ln -s /usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1 "$sysroot/usr/lib/ld-linux-aarch64.so.1"
  ln -s /usr/lib/gcc/aarch64-linux-gnu "$sysroot/usr/lib/gcc/aarch64-linux-gnu"

  cat >"$bundle/info.json" <<END
{ "schemaVersion": "1.0", "artifacts": { "binnacle-arm64": { "type": "swiftSDK", "version": "$swift", "variants": [
  { "path": "arm64", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"] } ] } } }
END
  cat >"$bundle/arm64/swift-sdk.json" <<END
{ "schemaVersion": "4.0", "targetTriples": { "aarch64-unknown-linux-gnu": {
  "sdkRootPath": "sysroot", "swiftResourcesPath": "sysroot/usr/lib/swift",
  "swiftStaticResourcesPath": "sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"] } } }
END
  cat >"$bundle/arm64/toolset.json" <<END
{ "schemaVersion": "1.0", "rootPath": "/usr/libexec/swift/bin", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld"] } }
END
  echo "$swift" >"$folder/version"
fi
echo "make-arm64-sdk: $bundle, $(du -sh "$bundle" | cut -f 1), Swift $swift"
