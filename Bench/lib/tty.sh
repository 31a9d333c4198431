# Serial lines. ttyS0 and ttyS1 are the two ends of a null modem; it has no speed of its own.

# null_modem: both ends raw and silent.
null_modem() {
  for end in /dev/ttyS0 /dev/ttyS1; do stty -F "$end" raw -echo 9600; done
}

# start_receiver [OPTION...]: a simulated receiver at ttyS1; the daemon's end is ttyS0, whose speed is the line's.
start_receiver() {
  null_modem
  receiver_at /dev/ttyS1 /dev/ttyS0 "$@"
}

receiver_at() {
  receiver_end=$1
  receiver_far_end=$2
  shift 2
  binnacle-sim receiver --line "$receiver_end" --far-end "$receiver_far_end" "$@" >>"$said/receiver" 2>&1 &
  receiver=$!
  wait_for 5 "the receiver has power" text_in "$said/receiver" "on $receiver_end"
}

# receiver_in_memory [OPTION...]: one on a pseudo-terminal, $receiver_tty, which follows time that travels, for the daemon's user.
receiver_in_memory() {
  receiver_tty=/run/gnss
  binnacle-sim receiver --tty "$receiver_tty" "$@" >>"$said/receiver" 2>&1 &
  receiver=$!
  wait_for 5 "the receiver has power" text_in "$said/receiver" "on $receiver_tty"
  device_for dialout "$(readlink -f "$receiver_tty")"
}

# receiver_dips: its supply fails for a moment, it starts anew with what its battery has kept.
receiver_dips() { kill -USR1 "$receiver"; }

stop_receiver() {
  kill "$receiver" 2>/dev/null || true
  wait "$receiver" || true
  : >"$said/receiver"
}
