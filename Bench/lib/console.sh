# Consoles on the two kinds of serial lines: the UART of a null modem at 9600 baud, and a USB gadget line.

# consoles_on_lines: one console on /dev/ttyS0 and one on /dev/ttyGS0, as the unit starts them; $uart and $gadget are their
# processes. The output of terminal programs at the other ends is in $said/uart and $said/gadget.
consoles_on_lines() {
  null_modem
  usb_receiver_made
  usb_plug
  stty -F /dev/ttyACM0 raw -echo
  start_console uart /dev/ttyS0 --speed 9600
  uart=$!
  start_console gadget /dev/ttyGS0
  gadget=$!
  wait_for 10 "the console has opened the UART" is_open "$uart" /dev/ttyS0
  wait_for 10 "the console has opened the gadget line" is_open "$gadget" /dev/ttyGS0
  far_end uart /dev/ttyS1
  far_end gadget /dev/ttyACM0
  gadget_end=$far_end
}

# start_console NAME LINE [OPTION...]
start_console() {
  local name=$1 line=$2
  shift 2
  HOME=/run TERM=vt102 binnacle console --runtime /run/binnacle --device "$line" "$@" 2>"$said/$name.errors" &
}

is_open() { ls -l "/proc/$1/fd" | grep -q "$2"; }

far_end() {
  cat "$2" >>"$said/$1" &
  far_end=$!
  wait_for 5 "a terminal program has opened $2" is_open "$far_end" "$2"
}

# typed uart|gadget TEXT: a person types this text at the other end; \r is Return.
typed() {
  case $1 in
  uart) printf '%b' "$2" >/dev/ttyS1 ;;
  gadget) printf '%b' "$2" >/dev/ttyACM0 ;;
  esac
}

# pull_gadget: the cable is pulled out. return_gadget: the cable is plugged in again, and the console must answer.
pull_gadget() {
  usb_unplug
  kill "$gadget_end" 2>/dev/null || true
}
return_gadget() {
  usb_plug
  stty -F /dev/ttyACM0 raw -echo
  : >"$said/gadget"
  far_end gadget /dev/ttyACM0
  gadget_end=$far_end
  wait_for 30 "the console on the gadget line answers again" gadget_answers
  expect "both consoles run" kill -0 "$uart" "$gadget"
}
gadget_answers() {
  typed gadget '\003version\r'
  text_in "$said/gadget" '^binnacle [0-9]'
}
