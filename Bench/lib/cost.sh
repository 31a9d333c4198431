# Measures the disk writes of durable changes for Bench/measures: those of the daemon's log, and those of other methods.

perf=$BENCH_HOME/../.build/release
table=$BENCH_OUT/table

# cost TEXT DEVICE COUNT COMMAND...: a row of the table: bytes and flushes of the device for each of COUNT changes, including the
# file system's later writes for these changes.
cost() {
  local text=$1 device=$2 count=$3 before after
  shift 3
  # Earlier writes must not count.
  sync
  [ "$settling" -lt 30 ] || dwell 60
  before=$(disk_work "$device")
  "$@" || fail "$text"
  dwell "$settling"
  sync
  after=$(disk_work "$device")
  row=$(echo "$before $after $count" | awk '{ printf "%.0f %.2f", ($3 - $1) / $5, ($4 - $2) / $5 }')
  # The two numbers are words.
  # shellcheck disable=SC2086
  printf '%-62s %8s B %6s flushes\n' "$text" $row | tee -a "$table"
}

# at_most BYTES FLUSHES: a limit for the last row, whose values are rounded to the decimals of the limit.
at_most() {
  is_within "$@" || fail "the last row has more than $1 B or $2 flushes"
  printf '%-62s %8s B %6s flushes\n' "  limit" "$1" "$2" | tee -a "$table"
}

is_within() {
  echo "$row $1 $2" | awk '{
    decimals = index($4, ".") ? length($4) - index($4, ".") : 0
    exit !($1 <= $3 && sprintf("%." decimals "f", $2) + 0 <= $4)
  }'
}

# file_system OPTIONS: a new file system at /data for each method, so that no method finds the files of another. Its blocks have
# 4,096 bytes, as on larger disks; mkfs.ext4 would choose smaller blocks for this small disk.
file_system() {
  umount /data 2>/dev/null || true
  mkfs.ext4 -q -F -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 "$disk"
  mkdir -p /data
  mount -t ext4 -o "$1" "$disk" /data
}

# log_at PATH COUNT SECONDS [GROUP]: makes changes in a log; state-cost describes the arguments.
log_at() { "$perf/state-cost" "$@" </dev/null; }

# filled_log PATH [COUNT]: a log with COUNT changes, so that the changes that follow move the log once.
filled_log() { log_at "$1" "${2:-120}" 0; }

# open_log PATH COUNT SECONDS [GROUP]: opens a log, which costs a flush. The function "changes" makes the changes.
open_log() {
  rm -f /run/gate "$said/log"
  mkfifo /run/gate
  "$perf/state-cost" "$@" </run/gate >"$said/log" &
  log=$!
  exec 9>/run/gate
  wait_for 20 "the log is open" text_in "$said/log" open
}
changes() {
  exec 9>&-
  wait "$log"
}

# user_defaults COUNT SECONDS: makes changes in UserDefaults of Foundation.
user_defaults() {
  mkdir -p /data/home
  HOME=/data/home "$perf/defaults-cost" "$@"
}

# other rename|sqlite|lmdb FOLDER COUNT SECONDS: makes changes with another method.
other() { python3 "$BENCH_HOME/../Perf/alternatives.py" "$@"; }
