# Functions that write to the log, wait, and check. A scenario runs under "set -e" and ends at the first check that fails.
# The code is POSIX shell with "local", which Debian's /bin/sh has.

# look_at_clock: sets $clock to the time since the start of the kernel, in hundredths of a second. It starts no process, because
# the start of a process is the most expensive operation in this kernel.
look_at_clock() {
  read -r uptime rest </proc/uptime
  # The shell would take "08" for an octal number, so a 1 precedes the digits.
  clock=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
}

say() {
  look_at_clock
  echo "[$uptime] $*"
}

# fail TEXT: ends the scenario, also from a subshell such as $(...), whose output goes elsewhere. It prints the last lines of each
# program's output.
fail() {
  for voice in /run/said/*; do
    if [ -s "$voice" ]; then sed "s|^|${voice##*/}: |" "$voice" | tail -n 8 >&2; fi
  done
  say "FAILED: $*" >&2
  kill -USR1 $$
  exit 1
}
trap 'exit 1' USR1

# expect DESCRIPTION COMMAND...: the command must succeed now.
expect() {
  local description=$1
  shift
  if "$@"; then say "ok: $description"; else fail "$description"; fi
}

# expect_not DESCRIPTION COMMAND...: the command must fail now.
expect_not() {
  local description=$1
  shift
  if "$@"; then fail "$description"; else say "ok: $description"; fi
}

# expect_equal DESCRIPTION IS WANTED
expect_equal() {
  [ "$2" = "$3" ] || fail "$1: the value is '$2', not '$3'"
  say "ok: $1: $2"
}

# expect_within DESCRIPTION IS MIN MAX: whole numbers.
expect_within() {
  [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1: $2 is not within $3 and $4"
  say "ok: $1: $2 (within $3 and $4)"
}

# becomes_true SECONDS COMMAND...: waits until the command succeeds; fails when the time is over. It runs the command often at
# first, and less often later: with time travel only these runs take real time.
becomes_true() {
  look_at_clock
  local began=$clock
  local limit=$((clock + $1 * 100))
  shift
  until "$@"; do
    look_at_clock
    [ "$clock" -lt "$limit" ] || return 1
    local waited=$((clock - began))
    if [ $waited -lt 30 ]; then sleep 0.05; elif [ $waited -lt 200 ]; then sleep 0.2; else sleep 0.5; fi
  done
}

# wait_for SECONDS DESCRIPTION COMMAND...: the command must succeed within this time.
wait_for() {
  local seconds=$1 description=$2
  shift 2
  becomes_true "$seconds" "$@" || fail "not within $seconds s: $description"
  say "ok: $description"
}

# stays SECONDS DESCRIPTION COMMAND...: the command must succeed during this whole time. The function always takes this time,
# which costs almost nothing with time travel.
stays() {
  look_at_clock
  local end=$((clock + $1 * 100))
  local description="$2, for $1 s"
  shift 2
  while [ "$clock" -lt "$end" ]; do
    "$@" || fail "$description"
    sleep 0.1
    look_at_clock
  done
  say "ok: $description"
}

# dwell SECONDS: lets time pass, for scenarios that test time itself.
dwell() { sleep "$1"; }

# text_in FILE PATTERN: whether a line of the file matches.
text_in() { grep -q -e "$2" "$1" 2>/dev/null; }

# lines_in FILE PATTERN: the number of lines that match.
lines_in() { grep -c -e "$2" "$1" 2>/dev/null || true; }

# tool PROGRAM: the scenario needs this program.
tool() {
  command -v "$1" >/dev/null || fail "the program $1 is missing; 'make deps-bench' installs it"
}

# kernel_module NAME [PARAMETER=VALUE...]: loads a module and the modules that it needs.
kernel_module() {
  file=$BENCH_MODULES/$1.ko
  name=$1
  shift
  if [ -d "/sys/module/$(echo "$name" | tr - _)" ]; then return 0; fi
  [ -f "$file" ] || fail "the kernel has no module $name"
  for needed in $(modinfo -F depends "$file" | tr , ' '); do
    # The name of a module's file has "_" or "-".
    [ -f "$BENCH_MODULES/$needed.ko" ] || needed=$(echo "$needed" | tr _ -)
    (kernel_module "$needed") || exit 1
  done
  insmod "$file" "$@" || fail "cannot load $name"
}

# read_calls PROCESS, voluntary_switches PROCESS: the read calls, and the voluntary context switches, of a process so far.
read_calls() { awk '$1 == "syscr:" { print $2 }' "/proc/$1/io"; }
voluntary_switches() { awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "/proc/$1/status"; }
