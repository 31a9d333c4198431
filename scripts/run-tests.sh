#!/bin/bash
# Builds and runs the tests: run-tests.sh [--built] FOLDER NAME=OPTIONS...
#   --built        the tests are built already
#   FOLDER         where the whole output goes: build.log, and NAME.log for each run
#   NAME=OPTIONS   a run of "swift test" with these options, one after the other, such as 'pure=--skip ^DaemonTests'
# Prints the progress (one line on a terminal, otherwise a line each 30 s), the closing line of each run, and the
# failures.
#   SWIFT, BUILD_FLAGS   the toolchain and the flags of every build
#   TEST_USER            an ordinary user: runs the tests that were built before as that user; only root may do that
set -uo pipefail
# Each command has a process group of its own, which an interruption ends whole.
set -m
cd "$(dirname "$0")/.."
is_built=
if [ "$1" = --built ]; then
  is_built=yes
  shift
fi
folder=$1
shift
swift=${SWIFT:-swift}
# The flags are words.
read -r -a flags <<<"${BUILD_FLAGS-}"
start=$SECONDS
child=
trap '[ -z "$child" ] || kill -- "-$child" 2>/dev/null; exit 130' INT TERM HUP
mkdir -p "$folder"

clock() { printf '%d:%02d' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)); }

# stage LOG: how far the command has come that writes there.
stage() {
  case $1 in
  */build.log) grep -o '^\[[0-9]*/[0-9]*\]' "$1" | tail -n 1 ;;
  *) echo "$(grep -c '^[^ ]* Test .* passed after' "$1") tests have passed" ;;
  esac
}

# watched TITLE LOG COMMAND...: runs it with its output in LOG; a terminal shows how far it is in one line.
watched() {
  local title=$1 log=$2 waited=0 status
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  while kill -0 "$child" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    if [ -t 1 ]; then
      printf '\r\e[K%s  %s %s' "$(clock)" "$title" "$(stage "$log")"
    elif [ $((waited % 30)) = 0 ]; then
      echo "$(clock)  $title $(stage "$log")"
    fi
  done
  if [ -t 1 ]; then printf '\r\e[K'; fi
  wait "$child"
  status=$?
  child=
  return "$status"
}

# failed LOG: prints the failures, and the path of the whole log.
failed() {
  grep -E 'recorded an issue|(Test|Suite) .* failed after|(^|: )error: ' "$1" | cut -c 1-300 | head -n 40
  closing "$1"
  echo "$(clock)  failed; the whole output is in $1"
  exit 1
}

closing() { grep -E 'Test run with [0-9]+ tests?.* (passed|failed)' "$1"; }

# as_user COMMAND...: as an ordinary user, in a home of its own, with nothing of root's environment.
as_user() {
  setpriv --reuid="$TEST_USER" --regid="$TEST_USER" --init-groups --inh-caps=-all \
    env --ignore-environment PATH="$PATH" HOME="$home" LANG="${LANG-C.UTF-8}" \
    ${BINNACLE_TEST_DATA:+"BINNACLE_TEST_DATA=$BINNACLE_TEST_DATA"} \
    ${BINNACLE_REQUIRE:+"BINNACLE_REQUIRE=$BINNACLE_REQUIRE"} ${BINNACLE_SWEEPS:+"BINNACLE_SWEEPS=$BINNACLE_SWEEPS"} "$@"
}

bundle() { ls "$PWD"/.build/debug/*.xctest; }

if [ -n "${TEST_USER-}" ]; then
  bundle=$(bundle) || exit 1
  id "$TEST_USER" >/dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin "$TEST_USER"
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  chown "$TEST_USER:" "$home"
  if ! as_user test -x "$bundle" -a -r "$bundle"; then
    echo "test: user $TEST_USER cannot read $bundle; every folder above it must be open to others (chmod o+x)" >&2
    exit 1
  fi
  run() { as_user "$bundle" --testing-library swift-testing "$@"; }
else
  [ -n "$is_built" ] ||
    watched "building" "$folder/build.log" "$swift" build --build-tests "${flags[@]}" || failed "$folder/build.log"
  # Not "swift test", which plans the build again for each run and keeps the folder of the build to itself.
  bundle=$(bundle) || exit 1
  run() { "$bundle" --testing-library swift-testing "$@"; }
fi

for named; do
  name=${named%%=*}
  read -r -a options <<<"${named#*=}"
  watched "$name tests:" "$folder/$name.log" run "${options[@]}" || failed "$folder/$name.log"
  # Without a test it has shown nothing.
  closing "$folder/$name.log" || failed "$folder/$name.log"
done
skipped=$(for named; do grep -E '(Test|Suite) .* skipped' "$folder/${named%%=*}.log"; done | wc -l)
[ "$skipped" = 0 ] || echo "$(clock)  $skipped skipped; '(Test|Suite) .* skipped' finds the reasons in $folder/*.log"
echo "$(clock)  passed; the whole output is in $folder"
