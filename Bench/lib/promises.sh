# Promises are changes that the daemon acknowledged. These functions check them after a power cut; promises.py describes the notes.

promises=$BENCH_OUT/promises

# promises_manifests: writes the manifests of the apps about which answers are given, and of the app that holds a session. That app
# is a separate copy of the interpreter.
promises_manifests() {
  mkdir -p /usr/lib/holding
  cp "$(readlink -f "$(command -v python3)")" /usr/lib/holding/python3
  for name in asking0 asking1 asking2 asking3 holding; do app_manifest "$name" binnacle "/usr/lib/$name/python3"; done
}

# promises_app WORD...: runs the app as the daemon's user, which may connect.
promises_app() {
  service_user
  touch "$promises"
  chmod 666 "$promises"
  setpriv --reuid=binnacle --regid=binnacle --clear-groups python3 -S "$BENCH_HOME/lib/promises.py" "$promises" "$@"
}

# promises_kept: whether defaults, the services switch, live updates, answers about apps and the session have the last acknowledged
# values, or the values of a change in progress.
promises_kept() { promises_app kept; }

# commits_kept: whether the log has a commit for each change that was acknowledged since the last call. Each change differs from the
# change before. The daemon must not write to the log during the call.
commits_kept() {
  promises_app commits "$(binnacle state check /var/lib/binnacle/state.log | sed -n 's/^log.last_commit  *//p')"
}

# changes_until_cut: an app makes one change after another. The power cut comes after the first acknowledged change. The function does
# not return.
changes_until_cut() {
  local before
  before=$(lines_in "$promises" '^done')
  promises_app change &
  changing=$!
  has_changed() { [ "$(lines_in "$promises" '^done')" -gt "$before" ]; }
  wait_for 20 "the daemon has acknowledged a change" has_changed
  power_cut_within 0.6
  wait "$changing"
  fail "the app ended before the power cut"
}

# services [on|off]: shows or sets the switch of location services.
services() {
  if [ $# = 0 ]; then
    binnacle services --runtime /run/binnacle | sed 's/.* //'
  else
    binnacle services "$1" --runtime /run/binnacle
  fi
}
