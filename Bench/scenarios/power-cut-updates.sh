# Open updates of an app are outstanding after a power cut. They resume if the app starts again, and lapse otherwise.
# bench: disk=32M time=natural limit=120

disk_mounted /var/lib/binnacle
service_user

# Without the launcher the daemon can identify only programs of its own user, so the app runs as that user.
start_app() {
  setpriv --reuid=binnacle --regid=binnacle --clear-groups \
    binnacle watch --operator --json --runtime /run/binnacle >"$said/app" 2>"$said/app.errors" &
  app=$!
}

case $BENCH_BOOT in
1)
  start_daemon --receiver /dev/ttyS0
  start_app
  wait_for 20 "the app's open updates are on the disk" status_is outstanding.1.is_kept yes
  power_cut
  ;;
2)
  start_daemon --receiver /dev/ttyS0
  expect "the daemon's log reports the outstanding updates" daemon_said 'outstanding from before: default 1'
  expect "the daemon waits for the app" status_is outstanding.1.not_taken_up 'default 1'
  start_app
  wait_for 9 "the app resumes its updates" status_is outstanding.rejoined 1
  expect "no outstanding updates wait for the app" status_is outstanding.1.not_taken_up ''

  kill -KILL "$app"
  wait_for 5 "the updates of the killed app are outstanding" status_is outstanding.1.not_taken_up 'default 1'
  start_app
  wait_for 9 "the app's next process resumes the updates" status_is outstanding.rejoined 2

  starts=$(daemon_starts)
  is_started_again() { [ "$(daemon_starts)" -gt "$starts" ] && status_is outstanding.rejoined 1; }
  kill -KILL "$(daemon_pid)"
  wait_for 20 "the app connects to the next daemon and resumes its updates" is_started_again
  expect "no updates have lapsed" status_is outstanding.lapsed 0
  power_cut
  ;;
esac

start_daemon --receiver /dev/ttyS0
expect "the daemon waits for the app again" status_is outstanding.1.not_taken_up 'default 1'
wait_for 15 "the updates lapse without the app" status_is outstanding.lapsed 1
expect "the daemon's log reports the lapse" daemon_said 'binnacle: lapsed, not taken up within 10.0 s: default 1'
stop_daemon
: >"$service_journal"
start_daemon --receiver /dev/ttyS0
expect "the next daemon has no outstanding updates" status_is outstanding.apps 0
stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
