# A power cut in a pause: the app that comes back is told of the rest once, with its first position, at once and not after its
# dwell, and the receiver sleeps again. A board that has begun to move meanwhile has updates instead.
# bench: disk=32M

disk_mounted /var/lib/binnacle
service_user

# The daemon sees programs of its own user, so its user's app is one that it can tell.
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
  wait_for 20 "the first position" has_fixes app 1
  expect_equal "pauses so far" "$(pauses app)" 0
  dwell 8
  expect_equal "pauses before the dwell is over" "$(pauses app)" 0
  dwell 14
  expect_equal "pauses" "$(pauses app)" 1
  expect_equal "the receiver" "$(power_value state)" asleep
  power_cut
  ;;
2)
  wait_for 20 "the pause" has_fixes app 1
  expect_equal "the first position says that the board rests" "$(pauses app)" 1
  dwell 22
  expect_equal "positions in all" "$(fixes app)" 1
  expect_equal "the receiver" "$(power_value state)" asleep
  power_cut
  ;;
*)
  more_fixes 20 app 12
  expect_equal "pauses of a board that moves" "$(pauses app)" 0
  ;;
esac
kill "$app"
stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
