# The receiver's power: a board with short times until updates pause and until the receiver sleeps.

# start_restful_daemon [OPTION...]: starts the daemon. Updates pause after 10 s of rest, and the receiver sleeps 5 s later.
start_restful_daemon() {
  printf '[Motion]\nDwellDefault=10 s\n[Receiver]\nRestBeforeSleep=5 s\n' >/run/bench.conf
  start_daemon --board /run/bench.conf --receiver /dev/ttyS0 "$@"
}

# power_value NAME: a value of "binnacle power --json", without quotes; power_is NAME VALUE: whether the value is equal.
power_value() { binnacle power --json --runtime /run/binnacle | tr ',{}' '\n\n\n' | sed -n "s/^\"power\.$1\"://p" | tr -d '"'; }
power_is() { [ "$(power_value "$1")" = "$2" ]; }

# pauses NAME: the number of updates of that client that report rest.
pauses() { lines_in "$said/$1" '"stationary":true'; }
