#!/bin/bash
# Builds and runs the tests: run-tests.sh [--built] FOLDER NAME=OPTIONS [[+] NAME=OPTIONS]...
#   --built        the tests are built already
#   FOLDER         where the whole output goes: build.log, and NAME.log for each run
#   NAME=OPTIONS   a run of the tests with these options, such as 'pure=--skip ^DaemonTests'
#   +              starts the next run beside the run before it; without a plus, a run waits for the runs before it
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
# The commands that run, and the log of each.
children=() logs=()
trap 'for child in "${children[@]}"; do kill -- "-$child" 2>/dev/null; done; exit 130' INT TERM HUP
mkdir -p "$folder"

clock() { printf '%d:%02d' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)); }

# begin LOG COMMAND...: starts the command with its output in LOG.
begin() {
  logs+=("$1")
  shift
  "$@" >"${logs[-1]}" 2>&1 </dev/null &
  children+=("$!")
}

# progress: how far the commands have come that still run; nothing when all have ended.
progress() {
  local index log name line=
  for index in "${!children[@]}"; do
    kill -0 "${children[index]}" 2>/dev/null || continue
    log=${logs[index]}
    name=$(basename "$log" .log)
    case $name in
    build) line="building $(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1)" ;;
    *) line="${line:-passed tests:} $name $(grep -c '^[^ ]* Test .* passed after' "$log")" ;;
    esac
  done
  echo "$line"
}

# finish: waits for all commands, prints the closing lines of their logs, and ends the script if one failed; a terminal
# shows how far they are in one line.
finish() {
  local waited=0 line index broken=()
  while line=$(progress) && [ -n "$line" ]; do
    if [ -t 1 ]; then
      printf '\r\e[K%s  %s' "$(clock)" "$line"
    elif [ "$waited" -gt 0 ] && [ $((waited % 30)) = 0 ]; then
      echo "$(clock)  $line"
    fi
    sleep 1
    waited=$((waited + 1))
  done
  if [ -t 1 ]; then printf '\r\e[K'; fi
  for index in "${!children[@]}"; do
    # A run without a test has shown nothing.
    { closing "${logs[index]}" || [ "${logs[index]}" = "$folder/build.log" ]; } &&
      wait "${children[index]}" || broken+=("${logs[index]}")
  done
  children=() logs=()
  [ "${#broken[@]}" = 0 ] || failed "${broken[@]}"
}

# failed LOG...: prints the failures, and the paths of the whole logs.
failed() {
  grep -hE 'recorded an issue|(Test|Suite) .* failed after|(^|: )error: ' "$@" | cut -c 1-300 | head -n 40
  echo "$(clock)  failed; the whole output is in $*"
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
  if [ -z "$is_built" ]; then
    begin "$folder/build.log" "$swift" build --build-tests "${flags[@]}"
    finish
  fi
  # Not "swift test", which plans the build again for each run and keeps the folder of the build to itself.
  bundle=$(bundle) || exit 1
  run() { "$bundle" --testing-library swift-testing "$@"; }
fi

# run_named NAME=OPTIONS
run_named() {
  local name=${1%%=*} options
  read -r -a options <<<"${1#*=}"
  run_logs+=("$folder/$name.log")
  begin "$folder/$name.log" run "${options[@]}"
}

run_logs=()
while [ $# -gt 0 ]; do
  run_named "$1"
  shift
  while [ "${1-}" = + ]; do
    run_named "$2"
    shift 2
  done
  finish
done
skipped=$(cat "${run_logs[@]}" | grep -cE '(Test|Suite) .* skipped')
[ "$skipped" = 0 ] || echo "$(clock)  $skipped skipped; '(Test|Suite) .* skipped' finds the reasons in $folder/*.log"
echo "$(clock)  passed; the whole output is in $folder"
