# Updates pause when the board rests and go on when it moves, with an accelerometer without an interrupt line: one update
# says that it rests, then nothing comes, and the daemon looks for movement at no more than 2 wake-ups a second, transfers and all.
# Signs of life go with these, so that a daemon that hangs is missed as soon as ever.
# A chip that is unplugged meanwhile leaves the verdict to the receiver.
# bench: limit=240

unplugged_in_a_pause() {
  pauses_again
  i2c_order unplug "$rest_address"
  wait_for 15 "the chip is missed" accelerometer_is failed
  count=$(fixes app)
  dwell 30
  expect "they pause all the same" is_paused
  expect_equal "by the receiver" "$(status_value motion.sources)" receiver
  expect_equal "updates meanwhile" "$(fixes app)" "$count"
  i2c_order plug "$rest_address"
  dwell 15
  wait_for 40 "it is read again" reading_is "$guarded"
  goes_on 600
}

for chip in lis3dh=0x18 mpu6050=0x68 adxl345=0x53; do
  rest_board "$chip"
  rest_daemon
  expect "its last update says so" sh -c 'tail -n 1 "$1" | grep -q "\"stationary\":true"' - "$said/app"
  wait_for 3 "it is read seldom" reading_is "$guarded"
  count=$(fixes app)
  # Until the receiver sleeps, and has shown that it wakes.
  dwell 125
  wakes_in 60 "$chip, at rest"
  expect_within "wake-ups and transfers in a minute" $((wakes + transfers)) 60 120
  expect_equal "patience of who watches over it" "$(patience)" "$(unit_value WatchdogSec)"
  expect_equal "updates meanwhile" "$(fixes app)" "$count"
  goes_on 600
  expect "every sample is read again" mode_is streaming
  if [ "$chip" = lis3dh=0x18 ]; then unplugged_in_a_pause; fi
  rest_ended
done

# The control: a chip that keeps no samples is beyond that, and is counted so.
rest_board mma8452=0x1d
rest_daemon
dwell 125
wakes_in 10 "sample by sample"
expect_within "wake-ups and transfers in 10 s" $((wakes + transfers)) 200 3000
rest_ended
