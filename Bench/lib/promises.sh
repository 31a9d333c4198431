# Promises of the daemon and what has become of them after a power cut; promises.py says how they are noted.

promises=$BENCH_OUT/promises

# promises_manifests: the apps about which answers are given, and the app that holds a session: an interpreter of its own.
promises_manifests() {
  mkdir -p /usr/lib/holding
  cp "$(readlink -f "$(command -v python3)")" /usr/lib/holding/python3
  for name in asking0 asking1 asking2 asking3 holding; do app_manifest "$name" binnacle "/usr/lib/$name/python3"; done
}

# promises_app WORD...: the app as the daemon's user, which may connect.
promises_app() {
  service_user
  touch "$promises"
  chmod 666 "$promises"
  setpriv --reuid=binnacle --regid=binnacle --clear-groups python3 -S "$BENCH_HOME/lib/promises.py" "$promises" "$@"
}

# promises_kept: defaults, switch, live updates, answers about apps and a session are what was acknowledged last, or a change that was under way.
promises_kept() { promises_app kept; }

# commits_kept: as many commits are in the log as there must be for the changes that were acknowledged since the last
# time; each of them differs from the one before. The log must not be written meanwhile.
commits_kept() {
  promises_app commits "$(binnacle state check /var/lib/binnacle/state.log | sed -n 's/^log.last_commit  *//p')"
}

# changes_until_cut: one change after another until the power goes, once the first was acknowledged; does not return.
changes_until_cut() {
  local before
  before=$(lines_in "$promises" '^done')
  promises_app change &
  changing=$!
  has_changed() { [ "$(lines_in "$promises" '^done')" -gt "$before" ]; }
  wait_for 20 "the app has changed something" has_changed
  power_cut_within 0.6
  wait "$changing"
  fail "the app has ended"
}

# services [on|off]: the switch of location services, shown or set.
services() {
  if [ $# = 0 ]; then
    binnacle services --runtime /run/binnacle | sed 's/.* //'
  else
    binnacle services "$1" --runtime /run/binnacle
  fi
}
