#!/bin/sh
# Builds what a package that knows nothing of this one needs to say "import CoreLocation" or "import AppRuntime":
#   DIRECTORY/toolset.json   for "swift build --toolset" and "swift test --toolset"
#   DIRECTORY/modules        the modules, for -I
#   DIRECTORY/lib            the shared library, for -L and -rpath
# make-toolset.sh [DIRECTORY]    (build/toolset; the paths in toolset.json are absolute)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/build/toolset}
swift=${SWIFT:-swift}
scratch=$root/.build-toolset

cd "$root"
BINNACLE_TOOLSET=1 $swift build -c release --product CoreLocation --scratch-path "$scratch"

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
case $directory in
*[\"\\]*) echo "make-toolset: $directory: a quote or backslash does not go into JSON here" >&2
  exit 64 ;;
esac
rm -rf "$directory/modules" "$directory/lib"
mkdir "$directory/modules" "$directory/lib"
for module in CoreLocation AppRuntime; do
  for suffix in swiftmodule swiftdoc; do
    cp "$scratch/release/Modules/$module.$suffix" "$directory/modules/"
  done
done
cp "$scratch/release/libCoreLocation.so" "$directory/lib/"

cat >"$directory/toolset.json" <<END
{
  "schemaVersion": "1.0",
  "swiftCompiler": { "extraCLIOptions": ["-I$directory/modules", "-DBINNACLE_TOOLSET_IN_USE"] },
  "linker": { "extraCLIOptions": ["-L$directory/lib", "-rpath", "$directory/lib"] }
}
END
echo "toolset: swift build --toolset $directory/toolset.json"
