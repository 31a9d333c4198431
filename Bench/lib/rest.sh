# A board that rests and moves: its updates pause and resume.

# rest_board CHIP=ADDRESS [LINE...]: a stationary receiver at ttyS0, an accelerometer with its interrupt output at the line INT, and
# /run/bench.conf with these lines in [Accelerometer] and a dwell of 20 s.
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

# rest_lines: makes the GPIO chip once, and gives the daemon access to the serial line and to the chip.
rest_lines() {
  device_for dialout /dev/ttyS0
  if [ -n "${has_lines-}" ]; then return 0; fi
  gpio_chip pinctrl-bench BUTTON INT
  getent group gpio >/dev/null || groupadd --system gpio
  device_for gpio "/dev/$(gpio_device pinctrl-bench)"
  has_lines=yes
}

# rest_profile DWELL [LINE...]: writes the profile, with a dwell in seconds and these lines in [Accelerometer].
rest_profile() {
  local dwell=$1
  shift
  accelerometer_profile "$@"
  printf '[Motion]\nDwellFitness=%s s\n' "$dwell" >>/run/bench.conf
}

# rest_daemon: starts the daemon with that board, and a client named app. Updates are paused when the function returns.
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

# pauses_again: waits for the dwell, until updates pause. It sends no request before the dwell is almost over.
pauses_again() {
  dwell 19
  wait_for 40 "updates pause" is_paused
}
is_paused() { status_is sessions.paused 1; }
reading_is() { status_is accelerometer.reading "$1"; }
mode_is() { status_is accelerometer.mode "$1"; }

armed="its interrupt line, which signals movement; the chip is checked once a minute"
guarded="bursts of its FIFO at long intervals, checked for movement"

# felt X Y Z: sets the acceleration at the chip. The function does not read the answer, so it starts no process.
felt() { echo "feel $rest_address $*" >/run/i2c; }

# shaken, shaken_no_more: the board shakes twice a second, as a background job; the board stops shaking. Four times a second would be
# the vibration of an engine for the detector's low-pass.
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

# kicked COUNT PERIOD: the board gets COUNT knocks, with PERIOD seconds between two knocks. The board does not change its place.
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

# goes_on MAX: the board moves, and the first update comes within MAX hundredths of a second and reports a position. The simulated
# receiver reports no motion, so the detector needs up to two seconds to trust the accelerometer. A receiver that sleeps needs a
# wake-up first.
goes_on() {
  local count began
  count=$(fixes app)
  look_at_clock
  began=$clock
  shaken
  until has_fixes app $((count + 1)); do
    look_at_clock
    [ "$clock" -lt $((began + 1200)) ] || fail "updates do not resume"
    sleep 0.05
  done
  look_at_clock
  shaken_no_more
  expect_within "hundredths of a second from motion to the first update" $((clock - began)) 0 "$1"
  expect_not "the first update does not report rest" sh -c 'sed -n "$2p" "$1" | grep -q "\"stationary\":true"' - "$said/app" \
    $((count + 1))
}

# wakes_in SECONDS TEXT: counts the wake-ups of all threads of the daemon in this time. The kernel counts how often each thread goes to
# sleep. $wakes is the number of waits for a time or an event. $transfers is the number of bus transfers: in each transfer the bus
# thread sleeps once more, inside the kernel's driver.
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
# errands CHIP=ADDRESS [--wired] [LINE...]: a receiver and a chip on a board that departs every 28 s and moves for 9 s. Updates pause
# after 10 s of rest. The profile has these lines in [Receiver]. The client is named app, and each of its updates has a time stamp of
# the guest.
errands() {
  local chip=$1 wire= setting= now seconds
  shift
  if [ "$1" = --wired ]; then
    wire="--interrupt ${chip#*=}=INT"
    setting=Interrupt=INT
    shift
  fi
  look_at_clock
  now=$(date +%s%N)
  seconds=$((now / 1000000000 + 30))
  # The first departure, in hundredths of a second since the start of the kernel.
  departure=$((clock + seconds * 100 - now / 10000000))
  start_receiver --path errand --departure "$seconds"
  rest_lines
  # These words have no blanks.
  accelerometers $wire --path errand --departure "$seconds" "$chip"
  rest_profile 10 $setting
  printf '[Receiver]\n' >>/run/bench.conf
  printf '%s\n' "$@" >>/run/bench.conf
  start_daemon_with_accelerometer --receiver /dev/ttyS0
  [ -p /run/updates ] || mkfifo /run/updates
  while read -r line; do
    look_at_clock
    echo "$clock $line"
  done </run/updates >"$said/app" &
  binnacle watch --operator --json --runtime /run/binnacle --configuration fitness >/run/updates 2>"$said/app.errors" &
  watch_app=$!
}
errands_ended() {
  rest_ended
  stop_receiver
}

# setting_out COUNT MEDIAN P95: measures the delay to the first update for COUNT departures from a pause, in hundredths of a second.
# MEDIAN and P95 are the limits for the median and the 95th percentile.
setting_out() {
  local count=$1 figures
  look_at_clock
  # The first departure does not count; it shows that the receiver wakes.
  dwell $(((departure - clock) / 100 + 28 * (count + 1)))
  figures=$(awk -v first=$((departure + 2800)) -v count="$count" '
    function rest(line) { return line ~ /"stationary":true/ }
    !/"latitude"/ { next }
    { time[++lines] = $1; isRest[lines] = rest($0) }
    END {
      for (ride = 0; ride < count; ride++) {
        start = first + ride * 2800
        line = 1
        while (line <= lines && time[line] <= start) line++
        if (line == 1 || line > lines || !isRest[line - 1]) { print "ride " ride " did not begin at rest"; continue }
        delays[++paused] = time[line] - start
      }
      for (i = 2; i <= paused; i++)
        for (j = i; j > 1 && delays[j - 1] > delays[j]; j--) { t = delays[j]; delays[j] = delays[j - 1]; delays[j - 1] = t }
      all = ""
      for (i = 1; i <= paused; i++) all = all " " delays[i]
      print all
      half = int((paused + 1) / 2)
      high = int(paused * 0.95); if (high < paused * 0.95) high++
      print paused + 0, delays[half] + 0, delays[high] + 0
    }' "$said/app")
  say "delays from departure to first update, hundredths of a second: $(echo "$figures" | sed '$d')"
  set -- "$2" "$3" $(echo "$figures" | tail -n 1)
  expect_equal "departures from a pause" "$3" "$count"
  expect_within "median of the delays, hundredths of a second" "$4" 0 "$1"
  expect_within "95th percentile of the delays, hundredths of a second" "$5" 0 "$2"
}

# departures COUNT: measures COUNT departures in each of four cases: the receiver is awake or sleeps; the daemon reads the accelerometer
# or waits for its interrupt line.
departures() {
  local wire
  for wire in '' --wired; do
    errands lis3dh=0x18 ${wire:+"$wire"} 'RestBeforeSleep=60 s'
    setting_out "$1" 220 300
    expect_equal "sleeps of the receiver" "$(power_value sleeps)" 0
    errands_ended

    errands lis3dh=0x18 ${wire:+"$wire"} 'RestBeforeSleep=5 s'
    setting_out "$1" 420 500
    expect_within "sleeps of the receiver" "$(power_value sleeps)" "$1" $((2 * $1 + 5))
    errands_ended
  done
}
