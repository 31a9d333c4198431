# Updates pause, and resume when the accelerometer's interrupt reports movement. During a pause the daemon checks the chip once a
# minute, and all threads together have at most 2 wake-ups a minute; the transfers of the check count separately. The daemon examines
# repeated knocks less and less often. If the chip is unplugged during a pause, the daemon reports this within about a minute.
# bench: limit=240

pauses_by() {
  rest_board "$1" Interrupt=INT
  rest_daemon
}

for chip in lis3dh=0x18 mpu6500=0x69; do
  [ -z "${began-}" ] || rest_ended
  began=yes
  pauses_by "$chip"
  wait_for 3 "the daemon waits for the chip's interrupt instead of reading samples" reading_is "$armed"
  count=$(fixes app)
  # The receiver sleeps, and its test wake-up is over, after this time.
  dwell 125
  wakes_in 600 "$chip, at rest"
  expect_within "wake-ups in 10 minutes" "$wakes" 10 20
  expect_within "transfers in 10 minutes" "$transfers" 9 11
  expect_equal "watchdog period during the pause, in seconds" "$(patience)" $((10 * $(unit_value WatchdogSec)))
  expect_equal "positions of the client, unchanged during the pause" "$(fixes app)" "$count"
  # First with a receiver that sleeps, then with a receiver that is still awake.
  for most in 600 400; do
    goes_on "$most"
    pauses_again
    wait_for 5 "the daemon waits for the chip's interrupt again" reading_is "$armed"
    dwell 3
  done
done

# One knock every 3 seconds for 3 minutes.
before=$(status_value accelerometer.movements)
count=$(fixes app)
kicked 60 3
expect_within "movements that the interrupt reported" $(($(status_value accelerometer.movements) - before)) 2 5
expect "updates are still paused after the knocks" is_paused
expect_equal "positions of the client, unchanged during the pause" "$(fixes app)" "$count"
dwell 160
wait_for 20 "the daemon waits for the chip's interrupt again" reading_is "$armed"

i2c_order unplug "$rest_address"
dwell 58
wait_for 10 "the daemon reports that the chip is missing" accelerometer_is failed
expect "updates are still paused without the chip" is_paused
i2c_order plug "$rest_address"
dwell 15
wait_for 40 "the daemon waits for the chip's interrupt again" reading_is "$armed"
goes_on 600
rest_ended

# The control: this chip's interrupt is too coarse, so the daemon does not use its line and reads bursts, far more than 2 a minute.
pauses_by adxl345=0x53
wait_for 3 "the daemon reads bursts of the chip's FIFO" reading_is "$guarded"
dwell 125
wakes_in 60 "too coarse an interrupt"
expect_within "wake-ups in a minute" "$wakes" 20 120
rest_ended
