# A user mounts a file over the program of an app in a new mount namespace. For the daemon this file is another program, which gets no
# location. A set-user-ID program does not use the daemon's address from its environment.
# bench: limit=90 memory=512M

for program in unshare setpriv; do tool $program; done
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_daemon --receiver /dev/ttyS0
binnacle allow org.example.tracker

# in_namespace NAME [FILE]: starts the app's program as the app's user in a new mount namespace, with FILE mounted over the program.
in_namespace() {
  local name=$1
  shift
  # The inner shell expands the variables.
  # shellcheck disable=SC2016
  unshare --mount sh -c '
    [ $# -eq 1 ] || mount --bind "$2" "$1"
    exec setpriv --reuid=ann --regid=ann --clear-groups "$1" --json' \
    - $live_updates "$@" >>"$said/$name" 2>>"$said/$name.errors" &
  eval "app_$name=$!"
}
same_program=$BENCH_HOME/../.build/release/LiveUpdates
# The daemon sees the mounted file under its path outside of the guest, with the folders above the guest's root.
unlisted="$(id -u ann):.*$live_updates"
is_connected() { binnacle apps --json | grep "\"id\":\"$1\"" | grep -q '"state":"[bf]'; }

in_namespace own
wait_for 20 "the daemon identifies the program without a mount as the app" is_connected org.example.tracker
in_front tracker
more_fixes 60 own 3
kill_app own

in_namespace impostor "$same_program"
wait_for 20 "the daemon identifies the mounted file as another program" is_connected "$unlisted"
expect_not "the app of the manifest is not connected" is_connected org.example.tracker
dwell 10
expect_equal "locations of the impostor" "$(fixes impostor)" 0
kill_app impostor

# The runtime directory that the environment names has no daemon.
mkdir /run/elsewhere
install -m 4755 -o root "$(command -v binnacle)" /usr/bin/binnacle-setuid
version_by() {
  setpriv --reuid=ann --regid=ann --clear-groups env BINNACLE_RUNTIME=/run/elsewhere "$1" status --json 2>&1 |
    grep -q '"daemon.version"'
}
expect_not "an ordinary program uses the runtime directory of its environment" version_by binnacle
expect "a set-user-ID program finds the installed daemon" version_by binnacle-setuid
stop_daemon
