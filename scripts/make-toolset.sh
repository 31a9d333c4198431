#!/bin/sh
# Builds the client library for packages that say "import CoreLocation" and do not know of this one, and
# writes the toolset that shows it to them: make-toolset.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
to=$1
swift=${SWIFT:-swift}

BINNACLE_TOOLSET=1 "$swift" build -c release --scratch-path .build-toolset --product CoreLocation
mkdir -p "$to/modules"
to=$(cd "$to" && pwd)
built=$(cd .build-toolset/release && pwd -P)
cp "$built/libCoreLocation.so" "$to/"
cp "$built"/Modules/*.swiftmodule "$to/modules/"
cat >"$to/toolset.json" <<JSON
{
  "schemaVersion": "1.0",
  "swiftCompiler": { "extraCLIOptions": ["-I$to/modules"] },
  "linker": { "extraCLIOptions": ["-L$to", "-rpath", "$to"] }
}
JSON
echo "use it: swift build --toolset $to/toolset.json"
