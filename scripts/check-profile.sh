#!/bin/sh
# Checks that the compiler takes the profile and refuses others, and that the daemon was built with it:
#   check-profile.sh SWIFT PROFILE DAEMON
set -eu
swift=$1
profile=$2
daemon=$3
flags=$(dirname "$0")/profile-flags.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head -c 1000 "$profile" >"$work/cut"
echo "no profile" >"$work/text"
for refused in "$work/cut" "$work/text" "$work/absent"; do
  [ -z "$("$flags" "$swift" "$refused" 2>/dev/null)" ] || { echo "check-profile: a damaged profile is taken" >&2; exit 1; }
done
# Names of functions of one file begin with the path of its object, and exist on one machine only.
if grep --quiet --text 'swift\.o;' "$profile"; then
  echo "check-profile: $profile contains paths of the machine where it was recorded: make profile" >&2
  exit 1
fi
[ -n "$("$flags" "$swift" "$profile")" ] || exit 0
cold=$(nm "$daemon" | grep --count '\.cold$' || true)
echo "profile: $cold functions of $daemon have their rare branches elsewhere"
[ "$cold" -ge 500 ] || { echo "check-profile: at least 500 were expected: make profile" >&2; exit 1; }
