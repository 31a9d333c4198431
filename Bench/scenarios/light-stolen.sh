# An app in the background gets no location while the lamp cannot be lit: another process holds the lamp's line, the sense line reports a
# dark lamp, or the chip is unplugged. The daemon reports each fault of the lamp. Locations come again when the fault ends.
# bench: limit=150

tool gpioset
panel_chip
panel_profile pull-up SENSE
log_lamp SENSE
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
gpioset --mode=signal "$(gpio_device pinctrl-bench)" 2=0 &
thief=$!
line_is_used() { gpioinfo pinctrl-bench | grep -q "\"$1\".*\[used\]"; }
wait_for 2 "another process holds the lamp's line" line_is_used INDICATOR
start_panel
wait_for 5 "the daemon has claimed the other lines" panel_is_claimed
expect "a person allows the app" binnacle allow org.example.tracker
start_app tracker --background
in_front tracker
more_fixes 60 tracker 2

# without_light REASON: "binnacle why" has this reason, the app's update has a flag, and the app gets no location.
without_light() {
  wait_for 20 "'binnacle why' reports the fault of the lamp" reason_says tracker light "$1"
  say "$(reason_of tracker light)"
  wait_for 5 "the app's update has the flag insufficientlyInUse" last_says tracker insufficientlyInUse
  failed=$(last_location tracker)
  dwell 12
  expect_equal "locations without a working lamp" "$(locations_between tracker "$failed" '')" 0
}
# The status light is solid while there is a fix, so it is dark only in the pattern of a fault.
status_blinks() {
  expect "the status report has the pattern of a fault" status_is status_light.pattern "fast blink: fault"
  wait_for 5 "the status light is dark in the pattern of a fault" led_is STATUS 0
  wait_for 5 "the status light is lit in the pattern of a fault" led_is STATUS 1
}
# with_light SECONDS: the lamp is lit within this time, and locations come again after that.
with_light() {
  wait_for "$1" "the lamp is lit" led_is INDICATOR 1
  more_fixes 20 tracker 3
  expect "'binnacle why' reports that the lamp is lit" reason_says tracker light 'is lit, and was read back'
  expect_equal "locations from the fault to the lit lamp" "$(locations_between tracker "$failed" "$(lamp_changed 1 "$failed")")" 0
}

sent_away tracker
without_light "gpioset"
status_blinks
expect "the daemon's log reports the program that holds the line" daemon_said "no app in the background gets locations, because.*gpioset"
kill "$thief"
with_light 40
expect "the daemon's log reports the end of the first fault" said_times 'the indicator can be lit again' 1

# The wire to the sense line breaks. The lamp's level does not change, so a new log of the lamp begins.
kill "$lamp_logger"
gpio_pull SENSE down
without_light "sense"
status_blinks
: >"$lamp_log"
log_lamp SENSE
with_light 40

gpio_remove pinctrl-bench
without_light "the chip has gone"
gpio_return pinctrl-bench
panel_permitted
with_light 60
expect "the daemon's log reports the end of all three faults" said_times 'the indicator can be lit again' 3
expect_not "the app's update loop continues without an error" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
stop_daemon
