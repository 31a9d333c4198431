#!/bin/bash
# Builds the two kinds of packages of apps, and checks that mixtures of both are refused with a sentence:
#   Tests/ThirdParty  says "import CoreLocation", does not list Binnacle, and is built with the toolset
#   Tests/Dependent   lists Binnacle in its Package.swift, by path and by URL
# Run make-toolset.sh first.
#   check-third-party.sh [TOOLSET]    (build/toolset/toolset.json)
#   SWIFT, BUILD_FLAGS   the toolchain, and further flags of the builds that contain Binnacle
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
toolset=${1:-$root/build/toolset/toolset.json}
swift=${SWIFT:-swift}
# The flags are words.
read -r -a flags <<<"${BUILD_FLAGS-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "check-third-party: $1" >&2
  exit 1
}

# in_package NAME COMMAND [OPTION...]: swift COMMAND in Tests/NAME.
in_package() {
  $swift "$2" --package-path "$root/Tests/$1" --scratch-path "$root/.build-$1" "${@:3}"
}

# refused WORDS COMMAND...: COMMAND must fail and say WORDS.
refused() {
  if "${@:2}" >"$work/said" 2>&1; then fail "this was not refused: ${*:2}"; fi
  if ! grep -q -e "$1" "$work/said"; then
    tail -n 20 "$work/said" >&2
    fail "'$1' was not said by: ${*:2}"
  fi
}

[ -r "$toolset" ] || { echo "check-third-party: $toolset is not there; make toolset" >&2; exit 66; }
# The programs of the packages must not find a daemon of this machine.
export BINNACLE_RUNTIME=$work
# "make" sets BINNACLE_QUICK for its own builds. SwiftPM refuses its compiler flags in a package that another package lists.
unset BINNACLE_QUICK

with_dependency() { in_package Dependent build "${flags[@]}" "$@"; }
with_dependency
"$(in_package Dependent build --show-bin-path)/route"

# The same by URL: what is in the folder now, as a release of a repository.
mkdir "$work/binnacle"
(cd "$root" && git ls-files --cached --others --exclude-standard -z |
  tar --create --null --files-from - --ignore-failed-read) | tar --extract --directory "$work/binnacle"
git -C "$work/binnacle" init --quiet
git -C "$work/binnacle" add --all
git -C "$work/binnacle" -c user.name=check -c user.email=check@localhost commit --quiet --message "Release"
git -C "$work/binnacle" tag 1.0.0
by_url() {
  BINNACLE_URL=file://$work/binnacle $swift build --package-path "$work/Dependent" \
    --scratch-path "$work/build" --cache-path "$work/cache" "${flags[@]}" "$@"
}
cp -r "$root/Tests/Dependent" "$work/Dependent"
by_url
"$(by_url --show-bin-path)/route"

# Two copies in one process: refused when the package is built, and where the build could not know, when it starts.
refused 'Use one: leave --toolset away' with_dependency --toolset "$toolset" \
  --scratch-path "$work/mixed"
library=$(sed -n 's/.*"-L\([^"]*\)".*/\1/p' "$toolset")
with_dependency -Xlinker --no-as-needed -Xlinker "-L$library" -Xlinker -lCoreLocation \
  -Xlinker -rpath -Xlinker "$library"
refused 'is in this process twice' "$(in_package Dependent build --show-bin-path)/route"

# swift writes its help to files first: "grep -q" closes a pipe at the first match, and swift would then fail.
$swift build --help >"$work/build-help" 2>&1 || true
$swift test --help >"$work/test-help" 2>&1 || true
if ! grep -q -e '--toolset' "$work/build-help" || ! grep -q -e '--toolset' "$work/test-help"; then
  echo "check-third-party: this Swift has no 'swift test --toolset'; 6.1 or later has" >&2
  exit 69
fi
in_package ThirdParty test --toolset "$toolset" --disable-xctest

# Two Swift runtimes in one process.
static_follow() {
  in_package ThirdParty build --toolset "$toolset" --static-swift-stdlib --product follow \
    --scratch-path "$root/.build-ThirdParty-static" "$@"
}
static_follow
refused 'linked with --static-swift-stdlib' "$(static_follow --show-bin-path)/follow"
echo "check-third-party: both kinds of packages work, and what mixes them is refused"
