# "top" on a UART and on a USB gadget line at once: the board is on the screen, the line of 9600 baud keeps up, "q" gives the prompt
# back, and a cable that was pulled during the view leaves no view behind.
# bench: limit=120

null_modem
usb_receiver_made
usb_plug
stty -F /dev/ttyACM0 raw -echo
receiver_in_memory
start_daemon --receiver "$receiver_tty"

# console NAME LINE OPTION...: on a line, as its unit starts it.
console() {
  local name=$1 line=$2
  shift 2
  HOME=/run TERM=vt102 binnacle console --runtime /run/binnacle --device "$line" "$@" 2>"$said/$name.errors" &
}
console uart /dev/ttyS0 --speed 9600
uart=$!
console gadget /dev/ttyGS0
gadget=$!

# far_end NAME LINE: what a terminal program at the other end receives is in $said/NAME.
far_end() {
  cat "$2" >>"$said/$1" &
  far_end=$!
}
far_end uart /dev/ttyS1
far_end gadget /dev/ttyACM0
gadget_end=$far_end
typed() { printf '%b' "$2" >"$1"; }
size_of() { stat -c %s "$said/$1"; }
has_prompt() {
  typed "$2" '\r'
  text_in "$said/$1" 'fix> '
}
wait_for 60 "a prompt on the UART" has_prompt uart /dev/ttyS1
wait_for 60 "a prompt on the gadget" has_prompt gadget /dev/ttyACM0

: >"$said/uart"
: >"$said/gadget"
typed /dev/ttyS1 'top\r'
typed /dev/ttyACM0 'top\r'
for name in uart gadget; do
  wait_for 10 "the fix is on the screen of the $name" text_in "$said/$name" 's old, accurate to'
  wait_for 10 "the sky is on it" text_in "$said/$name" 'in view'
  wait_for 10 "the keys are on it" text_in "$said/$name" 'q quits'
done

views() { pgrep -c -f 'binnacle.* top' || true; }
expect_equal "views" "$(views)" 2

# 9600 baud are 960 bytes a second.
before=$(size_of uart)
other_before=$(size_of gadget)
dwell 20
bytes=$(($(size_of uart) - before))
say "top writes $((bytes / 20)) bytes a second to the UART, $((($(size_of gadget) - other_before) / 20)) to the gadget"
expect_within "bytes of 20 s on the UART" "$bytes" 400 18000

: >"$said/uart"
typed /dev/ttyS1 'q'
wait_for 5 "q gives the prompt back" text_in "$said/uart" 'fix> '
typed /dev/ttyS1 'version\r'
wait_for 5 "the prompt takes commands" text_in "$said/uart" '^binnacle [0-9]'

# Pulled while the view is shown.
usb_unplug
kill "$gadget_end" 2>/dev/null || true
usb_plug
stty -F /dev/ttyACM0 raw -echo
: >"$said/gadget"
far_end gadget /dev/ttyACM0
is_answered() {
  typed /dev/ttyACM0 '\003version\r'
  text_in "$said/gadget" '^binnacle [0-9]'
}
wait_for 30 "the gadget has a prompt again" is_answered
expect "both consoles run" kill -0 "$uart" "$gadget"
expect_equal "views that are left" "$(views)" 0
stop_daemon
