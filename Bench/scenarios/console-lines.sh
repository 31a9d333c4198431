# The console on a UART and on a USB gadget line at once: commands are answered, output has the line's pace and Ctrl-C stops
# it, and the console comes back when a cable was pulled while it printed.
# bench: limit=120

null_modem
usb_receiver_made
usb_plug
stty -F /dev/ttyACM0 raw -echo

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
is_open() { ls -l "/proc/$1/fd" | grep -q "$2"; }
wait_for 10 "a console has the UART" is_open "$uart" /dev/ttyS0
wait_for 10 "a console has the gadget line" is_open "$gadget" /dev/ttyGS0

# far_end NAME LINE: what a person at the other end sees is in $said/NAME.
far_end() {
  cat "$2" >>"$said/$1" &
  far_end=$!
  wait_for 5 "a terminal program has $2" is_open "$far_end" "$2"
}
far_end uart /dev/ttyS1
far_end gadget /dev/ttyACM0
gadget_end=$far_end

typed() { printf '%b' "$2" >"$1"; }
typed /dev/ttyS1 '\r'
typed /dev/ttyACM0 '\r'
wait_for 20 "a prompt on the UART" text_in "$said/uart" 'no-daemon> '
wait_for 20 "a prompt on the gadget" text_in "$said/gadget" 'no-daemon> '
typed /dev/ttyS1 'version\r'
typed /dev/ttyACM0 'version\r'
wait_for 20 "an answer on the UART" text_in "$said/uart" '^binnacle [0-9]'
wait_for 20 "an answer on the gadget" text_in "$said/gadget" '^binnacle [0-9]'

# 9600 baud are 960 bytes a second. The help of all commands has more than ten times as many.
typed /dev/ttyS1 'help --all\r'
wait_for 20 "the help begins" text_in "$said/uart" 'services'
dwell 2
typed /dev/ttyS1 '\003'
wait_for 5 "Ctrl-C stops it" text_in "$said/uart" '\^C'
size=$(stat -c %s "$said/uart")
say "the UART has printed $size bytes"
expect "the pace of the line" test "$size" -le 8000
typed /dev/ttyS1 'exit\r'

# Pulled while it prints.
typed /dev/ttyACM0 'help --all\r'
wait_for 20 "the help begins" text_in "$said/gadget" 'services'
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
wait_for 30 "the gadget is back" is_answered
expect "both consoles run" kill -0 "$uart" "$gadget"
