# "top" on a UART and on a USB gadget line at once: the board is on the screen, the line of 9600 baud keeps up, "q" gives the prompt
# back, and a cable that was pulled during the view leaves no view behind.
# bench: limit=120

consoles_on_lines
receiver_in_memory
start_daemon --receiver "$receiver_tty"

has_prompt() {
  typed "$1" '\r'
  text_in "$said/$1" 'fix> '
}
for name in uart gadget; do
  wait_for 60 "a prompt on the $name" has_prompt "$name"
  : >"$said/$name"
  typed "$name" 'top\r'
done
for name in uart gadget; do
  wait_for 10 "the fix is on the screen of the $name" text_in "$said/$name" 's old, accurate to'
  wait_for 10 "the sky is on it" text_in "$said/$name" 'in view'
  wait_for 10 "the keys are on it" text_in "$said/$name" 'q quits'
done
views_are() { [ "$(pgrep -c -f 'binnacle.* top')" = "$1" ]; }
expect "each line has a view" views_are 2

# 9600 baud are 960 bytes a second.
size_of() { stat -c %s "$said/$1"; }
uart_before=$(size_of uart)
gadget_before=$(size_of gadget)
dwell 20
bytes=$(($(size_of uart) - uart_before))
say "top writes $((bytes / 20)) bytes a second to the UART, $((($(size_of gadget) - gadget_before) / 20)) to the gadget"
expect_within "bytes of 20 s on the UART" "$bytes" 400 18000

: >"$said/uart"
typed uart 'q'
wait_for 5 "q gives the prompt back" text_in "$said/uart" 'fix> '
typed uart 'version\r'
wait_for 5 "the prompt takes commands" text_in "$said/uart" '^binnacle [0-9]'

expect "the gadget has its view" views_are 1
pull_gadget
wait_for 5 "the pulled cable has ended the view" views_are 0
return_gadget
stop_daemon
