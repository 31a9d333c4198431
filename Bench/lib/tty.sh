# Serial lines. ttyS0 and ttyS1 are the two ends of a null modem. The null modem has no speed.

# null_modem: sets both ends to raw mode without echo.
null_modem() {
  for end in /dev/ttyS0 /dev/ttyS1; do stty -F "$end" raw -echo 9600; done
}

# start_receiver [OPTION...]: starts a simulated receiver at ttyS1. The daemon's end is ttyS0, whose speed is the line's speed.
start_receiver() {
  null_modem
  receiver_at /dev/ttyS1 /dev/ttyS0 "$@"
}

# receiver_at DEVICE FAR_END [OPTION...]: starts a simulated receiver at another line.
receiver_at() {
  receiver_end=$1
  receiver_far_end=$2
  shift 2
  binnacle-sim receiver --line "$receiver_end" --far-end "$receiver_far_end" "$@" >>"$said/receiver" 2>&1 &
  receiver=$!
  wait_for 5 "the receiver has power" text_in "$said/receiver" "on $receiver_end"
}

# receiver_in_memory [OPTION...]: starts a simulated receiver on a pseudo-terminal, $receiver_tty, for the daemon's user. It works with
# time travel.
receiver_in_memory() {
  receiver_tty=/run/gnss
  binnacle-sim receiver --tty "$receiver_tty" "$@" >>"$said/receiver" 2>&1 &
  receiver=$!
  wait_for 5 "the receiver has power" text_in "$said/receiver" "on $receiver_tty"
  device_for dialout "$(readlink -f "$receiver_tty")"
}

# receiver_dips: the receiver's supply fails for a moment. The receiver restarts with the data that its battery has kept.
receiver_dips() { kill -USR1 "$receiver"; }

stop_receiver() {
  kill "$receiver" 2>/dev/null || true
  wait "$receiver" || true
  : >"$said/receiver"
}
