# Updates pause and go on by the accelerometer's own interrupt: while they pause it is asked once a minute whether it is
# there, at no more than 2 wake-ups a minute. What knocks at the board again and again is looked at ever more rarely. A chip
# that is unplugged meanwhile is missed within a minute.
# bench: limit=240

for chip in lis3dh=0x18 mpu6500=0x69; do
  [ -z "${began-}" ] || rest_ended
  began=yes
  rest_board "$chip" Interrupt=INT
  rest_daemon
  wait_for 3 "its interrupt takes the place of reading" reading_is "$armed"
  count=$(fixes app)
  dwell 20
  rest_switches 180
  expect_within "wake-ups of the bus's thread in 3 minutes" "$switches" 2 6
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
