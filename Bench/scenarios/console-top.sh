# "top" runs at the same time on a UART and on a USB gadget line. Its screen shows the state of the board, and its output stays within the
# speed of a line of 9600 baud. The key q returns to the prompt. If the cable is pulled during the view, the view ends.
# bench: limit=120

consoles_on_lines
receiver_in_memory
start_daemon --receiver "$receiver_tty"

has_prompt() {
  typed "$1" '\r'
  text_in "$said/$1" 'fix> '
}
for name in uart gadget; do
  wait_for 60 "the console on the $name shows a prompt with a fix" has_prompt "$name"
  : >"$said/$name"
  typed "$name" 'top\r'
done
for name in uart gadget; do
  wait_for 10 "the fix is on the screen of the $name" text_in "$said/$name" 's old, accurate to'
  wait_for 10 "the satellites in view are on the screen of the $name" text_in "$said/$name" 'in view'
  wait_for 10 "the keys are on the screen of the $name" text_in "$said/$name" 'q quits'
done
views_are() { [ "$(pgrep -c -f 'binnacle.* top')" = "$1" ]; }
expect "two views run, one on each line" views_are 2

# At 9600 baud the line carries 960 bytes a second.
size_of() { stat -c %s "$said/$1"; }
uart_before=$(size_of uart)
gadget_before=$(size_of gadget)
dwell 20
bytes=$(($(size_of uart) - uart_before))
say "top writes $((bytes / 20)) bytes a second to the UART, $((($(size_of gadget) - gadget_before) / 20)) to the gadget"
expect_within "bytes that top writes to the UART in 20 s" "$bytes" 400 18000

: >"$said/uart"
typed uart 'q'
wait_for 5 "the key q returns to the prompt on the UART" text_in "$said/uart" 'fix> '
typed uart 'version\r'
wait_for 5 "the console on the UART prints the version after the view" text_in "$said/uart" '^binnacle [0-9]'

expect "one view still runs, on the gadget line" views_are 1
pull_gadget
wait_for 5 "the view ends when its cable is pulled" views_are 0
return_gadget
stop_daemon
