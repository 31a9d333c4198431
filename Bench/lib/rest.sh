# A board that rests and moves: its updates pause and go on.

# rest_board CHIP=ADDRESS [LINE...]: a still receiver at ttyS0, an accelerometer whose interrupt output hangs on the line INT,
# and /run/bench.conf with these lines in [Accelerometer] and a dwell of 20 s.
rest_board() {
  rest_address=${1#*=}
  if [ ! -e /run/rest ]; then
    start_receiver --path still
    rest_lines
    touch /run/rest
  fi
  accelerometers --interrupt "$rest_address=INT" "$1"
  shift
  rest_profile 20 "$@"
}

# rest_lines: the lines that it may use.
rest_lines() {
  device_for dialout /dev/ttyS0
  if [ -n "${has_lines-}" ]; then return 0; fi
  gpio_chip pinctrl-bench BUTTON INT
  getent group gpio >/dev/null || groupadd --system gpio
  device_for gpio "/dev/$(gpio_device pinctrl-bench)"
  has_lines=yes
}

# rest_profile DWELL [LINE...]
rest_profile() {
  local dwell=$1
  shift
  accelerometer_profile "$@"
  printf '[Motion]\nDwellFitness=%s s\n' "$dwell" >>/run/bench.conf
}

# rest_daemon: the daemon with that board, and a program named app that follows the location.
rest_daemon() {
  start_daemon_with_accelerometer --receiver /dev/ttyS0
  start_watch app --configuration fitness
  pauses_again
}

rest_ended() {
  stop_watch app
  stop_daemon
  no_accelerometers
  : >"$service_journal"
}

# pauses_again: after the dwell; asking before that would only take time.
pauses_again() {
  dwell 19
  wait_for 40 "its updates pause" is_paused
}
is_paused() { status_is sessions.paused 1; }
reading_is() { status_is accelerometer.reading "$1"; }
mode_is() { status_is accelerometer.mode "$1"; }

armed="its line, which tells of movement; asked once a minute whether it is there"
guarded="seldom bursts of its FIFO, told when something stirs"

# felt X Y Z: what the chip's masses feel from now on. Nobody waits for the answer: no process is started for it.
felt() { echo "feel $rest_address $*" >/run/i2c; }

# shaken, shaken_no_more: somebody moves the board to and fro twice a second, in the background. The detector's low-pass
# takes four times a second for an engine.
shaken() {
  (while :; do
    felt 0.3 0 1
    sleep 0.25
    felt -0.3 0 1
    sleep 0.25
  done) &
  shaker=$!
}
shaken_no_more() {
  kill "$shaker"
  wait "$shaker" 2>/dev/null || true
  felt 0 0 1
}

# kicked COUNT PERIOD: something knocks at the board so many times; a knock moves it nowhere.
kicked() {
  local left=$1
  while [ "$left" -gt 0 ]; do
    felt 0.06 0 1
    sleep 0.05
    felt 0 0 1
    sleep "$2"
    left=$((left - 1))
  done
}

# goes_on MAX: the board is moved; the first update comes within so many hundredths of a second, and says where it is. The
# receiver stands still and says so, against which the detector takes up to two seconds to believe the accelerometer; one
# that sleeps is to be woken first.
goes_on() {
  local count began
  count=$(fixes app)
  look_at_clock
  began=$clock
  shaken
  until has_fixes app $((count + 1)); do
    look_at_clock
    [ "$clock" -lt $((began + 1200)) ] || fail "updates do not go on"
    sleep 0.05
  done
  look_at_clock
  shaken_no_more
  expect_within "hundredths of a second from motion to the first update" $((clock - began)) 0 "$1"
  expect_not "that one says nothing of rest" sh -c 'sed -n "$2p" "$1" | grep -q "\"stationary\":true"' - "$said/app" \
    $((count + 1))
}

# wakes_in SECONDS TEXT: how often the daemon's threads woke in that time, all of them together, by the kernel's count of how
# often each has gone to sleep. $wakes are from a wait for time or for news; a transfer, of which there were $transfers,
# has the bus's thread sleep once more, inside the kernel's driver.
wakes_in() {
  local switches before
  before=$(i2c_transfers)
  switches=$(all_switches "$(daemon_pid)")
  dwell "$1"
  switches=$(($(all_switches "$(daemon_pid)") - switches))
  transfers=$(($(i2c_transfers) - before))
  wakes=$((switches - transfers))
  say "$2: $wakes wake-ups in $1 s, and $transfers transfers"
}
