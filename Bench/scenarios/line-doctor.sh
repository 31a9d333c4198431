# The doctor lights the lamps, and detects the presses of a person at the board. It reports a lamp that stays dark and a button without a
# press. Afterwards every line is off and free, even if the doctor is interrupted.

panel_chip
panel_profile
null_modem

# The person's answers are typed at the other end of the null modem.
answer() { printf '%s\n' "$1" >/dev/ttyS1; }
start_doctor() {
  : >/run/asked
  binnacle doctor --interactive --board /run/panel.conf --receiver /dev/none </dev/ttyS0 >/run/found 2>/run/asked &
  doctor=$!
}
asks() { wait_for 10 "the doctor prints: $1" text_in /run/asked "$1"; }
has_ended() { ! kill -0 "$doctor" 2>/dev/null; }
ends_with() {
  status=0
  wait "$doctor" || status=$?
  expect_equal "the doctor's exit status" "$status" "$1"
}
lines_are_free() {
  gpioinfo pinctrl-bench >/run/lines
  expect_not "the doctor holds no line" text_in /run/lines binnacle
}

start_doctor
asks 'indicator (INDICATOR) lit?'
expect "the indicator is lit" led_is INDICATOR 1
answer ''
asks 'Is it dark now?'
expect "the indicator is dark" led_is INDICATOR 0
answer y
asks 'status light (STATUS) lit?'
expect "the status light is lit" led_is STATUS 1
answer n
is_asked_twice() { [ "$(grep -o 'dark now' /run/asked | wc -l)" = 2 ]; }
wait_for 10 "the doctor asks about a dark lamp a second time" is_asked_twice
answer y
asks 'Press HOME (HOME) for less'
press HOME 0.2
asks 'seen: a short press'
asks 'Hold HOME'
press HOME 2.5
asks 'seen: a long press'
asks 'Press HOME (HOME) twice'
# A release that is shorter than the debounce time does not count as a release.
dwell 0.2
press HOME 0.1
dwell 0.15
press HOME 0.1
asks 'seen: a double press'
asks 'Press ALLOW'
wait_for 30 "the doctor ends when no press comes in time" has_ended
ends_with 1
expect "the doctor reports that the status light is dark" text_in /run/found 'STATUS of pinctrl-bench: the status light is not seen lit'
expect "the doctor reports that it has seen no press of ALLOW" text_in /run/found 'button ALLOW: no press was seen'
expect_not "the doctor reports no fault of HOME and of the indicator" text_in /run/found 'HOME\|INDICATOR'
lines_are_free

button_down HOME
start_doctor
asks 'indicator (INDICATOR) lit?'
expect "the indicator is lit" led_is INDICATOR 1
kill -TERM "$doctor"
wait_for 5 "the doctor ends after SIGTERM" has_ended
ends_with 1
expect "the indicator is dark" led_is INDICATOR 0
lines_are_free
button_up HOME

start_daemon --board /run/panel.conf --receiver /dev/none
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
start_doctor
wait_for 10 "the doctor ends while the daemon has the lines" has_ended
ends_with 1
expect "the doctor reports that the daemon has the lines" text_in /run/found 'the daemon has them'
expect "the doctor's remedy is to stop the daemon" text_in /run/found 'mend: .*sudo systemctl stop binnacled'
stop_daemon
