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

# felt X Y Z: the acceleration at the chip from now on. The answer is not read, so that no process is started for it.
felt() { echo "feel $rest_address $*" >/run/i2c; }

# shaken, shaken_no_more: the board is moved to and fro twice a second, in the background. The detector's low-pass
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
# errands CHIP=ADDRESS [--wired] [LINE...]: receiver and chip are on a board that sets out every 28 s, for nine, and
# whose updates pause after 10 s of rest; with these lines in [Receiver]. Its program is named app, and each of its updates
# is stamped with the guest's time.
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
  # In hundredths of a second since the kernel started.
  departure=$((clock + seconds * 100 - now / 10000000))
  start_receiver --path errand --departure "$seconds"
  rest_lines
  # Words without blanks.
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

# setting_out COUNT MEDIAN P95: so many times in a row the board sets out while updates pause; how many hundredths of a second it takes to the first
# update.
setting_out() {
  local count=$1 figures
  look_at_clock
  # The first one shows that the receiver wakes.
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
  say "from setting out to the first update, hundredths of a second: $(echo "$figures" | sed '$d')"
  set -- "$2" "$3" $(echo "$figures" | tail -n 1)
  expect_equal "departures from a pause" "$3" "$count"
  expect_within "in the median" "$4" 0 "$1"
  expect_within "in 95 of 100" "$5" 0 "$2"
}

# departures COUNT: so many from a receiver that is awake and from one that sleeps, by an accelerometer that is read and by its line.
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
