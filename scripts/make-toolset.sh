#!/bin/sh
# Builds what a package that knows nothing of this one needs to say "import CoreLocation" or "import AppRuntime":
#   DIRECTORY/toolset.json   for "swift build --toolset" and "swift test --toolset"
#   DIRECTORY/modules        the modules, for -I
#   DIRECTORY/lib            the shared library, for -L and -rpath
# make-toolset.sh [DIRECTORY]    (build/toolset; the paths in toolset.json are absolute)
#   SWIFT, SDK_FLAGS    the toolchain, and what chooses an SDK of another architecture
#   ARCH                that architecture; its build has a folder of its own
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/build/toolset}
swift=${SWIFT:-swift}
scratch=$root/.build-toolset${ARCH:+-$ARCH}
# The library finds Swift's where the compiler has its own. An SDK's folder, which is the driver's choice, is not there on
# the board; Debian's Swift has the same place on each architecture.
runtime=$($swift -print-target-info | sed -n '/"runtimeLibraryPaths"/,/\]/s/^ *"\(\/.*\)",*$/\1/p' | head -n 1)
[ -n "$runtime" ] || { echo "make-toolset: $swift does not say where its runtime is" >&2; exit 69; }

cd "$root"
# SDK_FLAGS is words.
# shellcheck disable=SC2086
BINNACLE_TOOLSET=1 $swift build -c release --product CoreLocation --scratch-path "$scratch" ${SDK_FLAGS-} \
  -Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker "$runtime"

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
case $directory in
*[\"\\]*) echo "make-toolset: $directory: a quote or backslash does not go into JSON here" >&2
  exit 64 ;;
esac
mkdir -p "$directory/modules" "$directory/lib"
# An equal file stays as it is: a build may use it at this moment.
for module in CoreLocation AppRuntime; do
  for suffix in swiftmodule swiftdoc; do
    install --compare --mode=644 "$scratch/release/Modules/$module.$suffix" "$directory/modules/"
  done
done
install --compare --mode=755 "$scratch/release/libCoreLocation.so" "$directory/lib/"

cat >"$directory/toolset.json.new" <<END
{
  "schemaVersion": "1.0",
  "swiftCompiler": { "extraCLIOptions": ["-I$directory/modules", "-DBINNACLE_TOOLSET_IN_USE"] },
  "linker": { "extraCLIOptions": ["-L$directory/lib", "-rpath", "$directory/lib"] }
}
END
mv "$directory/toolset.json.new" "$directory/toolset.json"
echo "toolset: swift build --toolset $directory/toolset.json"
