# Promises of the daemon and what has become of them after a power cut. They are noted outside, where no cut reaches:
# "asked NAME VALUE" before a change, "done NAME VALUE" when it was acknowledged.

promises=$BENCH_OUT/promises

# promised NAME VALUE COMMAND...: the change that COMMAND makes, noted.
promised() {
  local name=$1 value=$2
  shift 2
  echo "asked $name $value" >>"$promises"
  if "$@"; then
    echo "done $name $value" >>"$promises"
    echo 1 >>"$promises.counted"
  fi
}

# promise_of NAME: the last value that was acknowledged, and the one that was being asked for when the power went.
promise_of() {
  awk -v name="$1" '
    $2 == name && $1 == "done" { sure = $3; asked = "" }
    $2 == name && $1 == "asked" { asked = $3 }
    END { print sure, asked }' "$promises"
}

# promise_kept NAME FOUND: what is found is what was acknowledged, or the one change that was under way, and counts as
# acknowledged from now on.
promise_kept() {
  local name=$1 found=$2 sure asked
  read -r sure asked <<END
$(promise_of "$name")
END
  [ "$found" = "$sure" ] || [ "$found" = "$asked" ] || return 1
  echo "done $name $found" >>"$promises"
}

# last_commit: the number of the last commit that is in the log of state, of which nobody may be at work.
last_commit() {
  binnacle state check /var/lib/binnacle/state.log | sed -n 's/^log.last_commit  *//p'
}

# commits_kept: as many commits are in the log as there must be for the changes that were acknowledged since the last
# time; each of them differs from the one before.
commits_kept() {
  local found
  found=$(last_commit)
  if [ -f "$promises.wanted" ]; then
    [ "$found" -ge "$(($(cat "$promises.wanted") + $(lines_in "$promises.counted" .)))" ] || return 1
  fi
  echo "$found" >"$promises.wanted"
  : >"$promises.counted"
}

# services [on|off]: the switch of location services, shown or set.
services() {
  if [ $# = 0 ]; then
    binnacle services --runtime /run/binnacle | sed 's/.* //'
  else
    binnacle services "$1" --runtime /run/binnacle
  fi
}

# changes_until_cut: asks for one change after another until the power goes; does not return.
changes_until_cut() {
  if [ "$(services)" = on ]; then promised services off services off; fi
  power_cut_within 0.6
  while :; do
    promised services on services on
    promised services off services off
  done
}
