# Updates pause when the board rests and resume when it moves, with an accelerometer without an interrupt line. One update reports
# rest, then no update comes. The daemon searches for movement with at most 2 wake-ups a second, transfers included. Watchdog signals
# use these wake-ups, so the watchdog period stays normal. If the chip is unplugged during a pause, the receiver alone decides.
# bench: limit=240

unplugged_in_a_pause() {
  pauses_again
  i2c_order unplug "$rest_address"
  wait_for 15 "the daemon reports that the chip is missing" accelerometer_is failed
  count=$(fixes app)
  dwell 30
  expect "updates are still paused without the chip" is_paused
  expect_equal "the sources of motion without the chip" "$(status_value motion.sources)" receiver
  expect_equal "positions of the client, unchanged during the pause" "$(fixes app)" "$count"
  i2c_order plug "$rest_address"
  dwell 15
  wait_for 40 "the daemon reads bursts of the chip's FIFO again" reading_is "$guarded"
  goes_on 600
}

for chip in lis3dh=0x18 mpu6050=0x68 adxl345=0x53; do
  rest_board "$chip"
  rest_daemon
  expect "the last update reports rest" sh -c 'tail -n 1 "$1" | grep -q "\"stationary\":true"' - "$said/app"
  wait_for 3 "the daemon reads bursts of the chip's FIFO" reading_is "$guarded"
  count=$(fixes app)
  # The receiver sleeps, and its test wake-up is over, after this time.
  dwell 125
  wakes_in 60 "$chip, at rest"
  expect_within "wake-ups and transfers in a minute" $((wakes + transfers)) 60 120
  expect_equal "watchdog period during the pause, in seconds" "$(patience)" "$(unit_value WatchdogSec)"
  expect_equal "positions of the client, unchanged during the pause" "$(fixes app)" "$count"
  goes_on 600
  expect "the daemon reads each sample after the pause" mode_is streaming
  if [ "$chip" = lis3dh=0x18 ]; then unplugged_in_a_pause; fi
  rest_ended
done

# The control: this chip has no FIFO, so the daemon reads each sample, and the count is above the limit.
rest_board mma8452=0x1d
rest_daemon
dwell 125
wakes_in 10 "sample by sample"
expect_within "wake-ups and transfers in 10 s" $((wakes + transfers)) 200 3000
rest_ended
