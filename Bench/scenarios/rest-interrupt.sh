# Updates pause and go on by the accelerometer's own interrupt: while they pause it is asked once a minute whether it is
# there, at no more than 2 wake-ups a minute of all threads together; the transfer of that question is counted apart. A
# source that knocks at the board again and again is examined ever more rarely. A chip that is unplugged meanwhile is missed within a
# minute.
# bench: limit=240

pauses_by() {
  rest_board "$1" Interrupt=INT
  rest_daemon
}

for chip in lis3dh=0x18 mpu6500=0x69; do
  [ -z "${began-}" ] || rest_ended
  began=yes
  pauses_by "$chip"
  wait_for 3 "its interrupt takes the place of reading" reading_is "$armed"
  count=$(fixes app)
  # Until the receiver sleeps, and has shown that it wakes.
  dwell 125
  wakes_in 600 "$chip, at rest"
  expect_within "wake-ups in 10 minutes" "$wakes" 10 20
  expect_within "transfers in 10 minutes" "$transfers" 9 11
  expect_equal "patience of who watches over it" "$(patience)" $((10 * $(unit_value WatchdogSec)))
  expect_equal "updates meanwhile" "$(fixes app)" "$count"
  # From a receiver that sleeps, and from one that does not yet.
  for most in 600 400; do
    goes_on "$most"
    pauses_again
    wait_for 5 "its interrupt is armed again" reading_is "$armed"
    dwell 3
  done
done

# A storm: a knock every 3 seconds for 3 minutes.
before=$(status_value accelerometer.movements)
count=$(fixes app)
kicked 60 3
expect_within "alarms" $(($(status_value accelerometer.movements) - before)) 2 5
expect "they pause all the while" is_paused
expect_equal "updates meanwhile" "$(fixes app)" "$count"
dwell 160
wait_for 20 "its interrupt is armed again" reading_is "$armed"

i2c_order unplug "$rest_address"
dwell 58
wait_for 10 "the chip is missed" accelerometer_is failed
expect "they pause all the same" is_paused
i2c_order plug "$rest_address"
dwell 15
wait_for 40 "its interrupt is armed again" reading_is "$armed"
goes_on 600
rest_ended

# The control: the line of a chip whose interrupt is too coarse takes no part, and its bursts are far beyond 2 a minute.
pauses_by adxl345=0x53
wait_for 3 "it is read seldom" reading_is "$guarded"
dwell 125
wakes_in 60 "too coarse an interrupt"
expect_within "wake-ups in a minute" "$wakes" 20 120
rest_ended
