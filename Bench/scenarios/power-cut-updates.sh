# Open updates of an app are outstanding after a power cut. They resume when the app is started again, and lapse otherwise.
# bench: disk=32M time=natural limit=120

disk_mounted /var/lib/binnacle
service_user

# The daemon sees programs of its own user, so its user's app is one that it can tell.
start_app() {
  setpriv --reuid=binnacle --regid=binnacle --clear-groups \
    binnacle watch --operator --json --runtime /run/binnacle >"$said/app" 2>"$said/app.errors" &
  app=$!
}

case $BENCH_BOOT in
1)
  start_daemon --receiver /dev/ttyS0
  start_app
  wait_for 20 "what the app has begun is on the disk" status_is outstanding.1.is_kept yes
  power_cut
  ;;
2)
  start_daemon --receiver /dev/ttyS0
  expect "the daemon knows of it" daemon_said 'outstanding from before: default 1'
  expect "it waits for the app" status_is outstanding.1.not_taken_up 'default 1'
  start_app
  wait_for 9 "the app takes it up" status_is outstanding.rejoined 1
  expect "nothing waits any more" status_is outstanding.1.not_taken_up ''

  kill -KILL "$app"
  wait_for 5 "the app is gone" status_is outstanding.1.not_taken_up 'default 1'
  start_app
  wait_for 9 "its next process takes it up" status_is outstanding.rejoined 2

  starts=$(daemon_starts)
  is_started_again() { [ "$(daemon_starts)" -gt "$starts" ] && status_is outstanding.rejoined 1; }
  kill -KILL "$(daemon_pid)"
  wait_for 20 "the app finds the next daemon and takes it up" is_started_again
  expect "nothing has lapsed" status_is outstanding.lapsed 0
  power_cut
  ;;
esac

start_daemon --receiver /dev/ttyS0
expect "it waits again" status_is outstanding.1.not_taken_up 'default 1'
wait_for 15 "without the app the updates lapse" status_is outstanding.lapsed 1
expect "that is said" daemon_said 'binnacle: lapsed, not taken up within 10.0 s: default 1'
stop_daemon
: >"$service_journal"
start_daemon --receiver /dev/ttyS0
expect "then nothing is outstanding" status_is outstanding.apps 0
stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
