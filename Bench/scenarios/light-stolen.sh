# An app in the background gets nothing while the lamp cannot be lit: its line is taken by another process, the sense line shows it
# dark, or the chip has vanished. Each reason is told, and locations come again when it is mended.
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
wait_for 2 "another process has the lamp" line_is_used INDICATOR
start_panel
wait_for 5 "the other lines are claimed" panel_is_claimed
expect "a person allows the app" binnacle allow org.example.tracker
start_app tracker --background
in_front tracker
more_fixes 60 tracker 2

# without_light REASON: the app has no locations, and is told why.
without_light() {
  wait_for 20 "the reason is in why" reason_says tracker light "$1"
  wait_for 5 "the app is told" last_says tracker insufficientlyInUse
  failed=$(last_location tracker)
  dwell 12
  expect_equal "locations without a lamp" "$(locations_between tracker "$failed" '')" 0
}
# with_light SECONDS: locations come again, after the lamp.
with_light() {
  wait_for "$1" "the lamp is lit" led_is INDICATOR 1
  more_fixes 20 tracker 3
  expect "why agrees" reason_says tracker light 'is lit, and was read back'
  expect_equal "locations before the lamp" "$(locations_between tracker "$failed" "$(lamp_changed 1 "$failed")")" 0
}

sent_away tracker
without_light "gpioset"
expect "the log has the reason" daemon_said "no app in the background gets locations, because.*gpioset"
kill "$thief"
with_light 40
expect "the log has the end" said_times 'the indicator can be lit again' 1

# The wire to the sense line breaks. The lamp's level does not change, so the lamp's log begins anew.
kill "$lamp_logger"
gpio_pull SENSE down
without_light "sense"
: >"$lamp_log"
log_lamp SENSE
with_light 40

gpio_remove pinctrl-bench
without_light "INDICATOR\|chip\|line"
gpio_return pinctrl-bench
panel_permitted
with_light 60
expect "each end is in the log" said_times 'the indicator can be lit again' 3
expect_not "the app's loop goes on without an error" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
stop_daemon
