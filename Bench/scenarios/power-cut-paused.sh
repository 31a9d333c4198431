# A power cut during a pause. The app connects again, and its first position comes at once and reports rest, without a new dwell. The
# receiver sleeps again. If the board moves after the cut, the app gets updates.
# bench: disk=32M

disk_mounted /var/lib/binnacle
service_user

# Without the launcher the daemon can identify only programs of its own user, so the app runs as that user.
start_app() {
  setpriv --reuid=binnacle --regid=binnacle --clear-groups \
    binnacle watch --operator --json --runtime /run/binnacle >"$said/app" 2>"$said/app.errors" &
  app=$!
}

path=still
[ "$BENCH_BOOT" -lt 3 ] || path=motorway
start_receiver --path "$path"
device_for dialout /dev/ttyS0
start_restful_daemon
start_app
case $BENCH_BOOT in
1)
  wait_for 20 "the app has its first position" has_fixes app 1
  expect_equal "updates that report rest, at the first position" "$(pauses app)" 0
  dwell 8
  expect_equal "updates that report rest, before the end of the dwell" "$(pauses app)" 0
  dwell 14
  expect_equal "updates that report rest, after the dwell" "$(pauses app)" 1
  expect_equal "the power state of the receiver" "$(power_value state)" asleep
  power_cut
  ;;
2)
  wait_for 20 "the app has its first position after the power cut" has_fixes app 1
  expect_equal "updates that report rest, at the first position" "$(pauses app)" 1
  dwell 22
  expect_equal "positions after 22 s" "$(fixes app)" 1
  expect_equal "the power state of the receiver" "$(power_value state)" asleep
  power_cut
  ;;
*)
  more_fixes 20 app 12
  expect_equal "updates that report rest, while the board moves" "$(pauses app)" 0
  ;;
esac
kill "$app"
stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
