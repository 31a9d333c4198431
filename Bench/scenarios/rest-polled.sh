# Updates pause when the board rests and go on when it moves, with an accelerometer without an interrupt line: one update
# says that it rests, then nothing comes, and the daemon looks for movement at no more than 2 wake-ups a second.
# A chip that is unplugged meanwhile leaves the verdict to the receiver.
# bench: limit=240

for chip in lis3dh=0x18 mpu6050=0x68 adxl345=0x53; do
  rest_board "$chip"
  rest_daemon
  expect "its last update says so" sh -c 'tail -n 1 "$1" | grep -q "\"stationary\":true"' - "$said/app"
  wait_for 3 "it is read seldom" reading_is "$guarded"
  count=$(fixes app)
  dwell 20
  rest_switches 60
  expect_within "wake-ups of the bus's thread in a minute" "$switches" 60 118
  expect_equal "updates meanwhile" "$(fixes app)" "$count"
  # From a receiver that sleeps, and from one that does not yet.
  for most in 600 400; do
    goes_on "$most"
    expect "every sample is read again" mode_is streaming
    pauses_again
    dwell 3
  done

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
  rest_ended
done
