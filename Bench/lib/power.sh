# The receiver's power: a board whose updates pause soon and whose receiver sleeps soon after.

# start_restful_daemon [OPTION...]: updates pause after 10 s of rest, the receiver sleeps 5 s later.
start_restful_daemon() {
  printf '[Motion]\nDwellDefault=10 s\n[Receiver]\nRestBeforeSleep=5 s\n' >/run/bench.conf
  start_daemon --board /run/bench.conf --receiver /dev/ttyS0 "$@"
}

# power_value NAME: as "binnacle power --json" says it, without quotes; power_is NAME VALUE.
power_value() { binnacle power --json --runtime /run/binnacle | tr ',{}' '\n\n\n' | sed -n "s/^\"power\.$1\"://p" | tr -d '"'; }
power_is() { [ "$(power_value "$1")" = "$2" ]; }

# pauses NAME: how many updates of that program said that the board rests.
pauses() { lines_in "$said/$1" '"stationary":true'; }
