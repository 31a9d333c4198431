#!/bin/sh
# Prints the flags that optimize by a profile, or nothing if the compiler does not take it: profile-flags.sh SWIFT PROFILE
# An older compiler has no such option, or cannot read the profile of a newer one; it may print an error and still succeed.
set -eu
swift=$1
profile=$2
compiler=$(dirname "$(readlink -f "$(command -v "$swift")")")/swiftc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'public func identity(_ value: Int) -> Int { value }' >"$work/probe.swift"
# Code that fewer than a fifth of the 800 recorded epochs run through is moved away from the rest of its function.
# A function that has changed since the recording is compiled without the profile, and the compiler does not warn of it.
set -- -Xfrontend "-ir-profile-use=$profile" -Xllvm -enable-split-machine-functions -Xllvm -mfs-psi-cutoff=0 \
  -Xllvm -mfs-count-threshold=160 -Xllvm -no-pgo-warn-mismatch
if complaints=$("$compiler" -O "$@" -parse-as-library -c "$work/probe.swift" -o "$work/probe.o" 2>&1) &&
  [ -z "$complaints" ]; then
  for flag; do printf -- '-Xswiftc %s ' "$flag"; done
else
  echo "profile: this compiler cannot read $profile; the programs are built without it, and use more processor time" >&2
fi
