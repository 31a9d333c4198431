# I2C buses. A stub has only registers. An adapter (i2c-uadap) connects simulated chips.

# i2c_stub ADDRESS: a chip whose registers keep written values, alone on a bus (SMBus transfers only).
i2c_stub() {
  kernel_module i2c-stub "chip_addr=$1"
  i2c_bus=$(i2c_bus_named "SMBus stub driver")
}

# i2c_bus_named TEXT: the number of the bus with this name.
i2c_bus_named() {
  for name in /sys/bus/i2c/devices/i2c-*/name; do
    if text_in "$name" "$1"; then
      name=${name%/name}
      echo "${name##*i2c-}"
      return
    fi
  done
  fail "there is no bus $1"
}

i2c_said=/run/said/i2c

# i2c_chips [--interrupt ADDRESS=LINE]... [--receiver GENERATION] [--extint LINE] [--path NAME --departure TIME]
# [NAME[=ADDRESS]...]: simulated accelerometers and a receiver on a bus; its number is $i2c_bus. An interrupt output, and the
# receiver's pin EXTINT, may be wired to a line of a gpio_chip.
i2c_chips() {
  local wires= chips= receiver= extint= body= chip
  while [ $# -gt 0 ]; do
    case "$1" in
    --interrupt)
      wires=$wires${wires:+,}${2%=*}=$(gpio_line "${2#*=}")/pull
      shift
      ;;
    --receiver)
      receiver=$2
      shift
      ;;
    --extint)
      extint=$(gpio_line "$2")/value
      shift
      ;;
    --path | --departure)
      body="$body $1 $2"
      shift
      ;;
    *) chips=$chips${chips:+,}$1 ;;
    esac
    shift
  done
  [ -e /dev/i2c-uadap1 ] || kernel_module i2c-uadap nr=1
  i2c_bus=1
  [ -p /run/i2c ] || mkfifo /run/i2c
  # These words have no blanks.
  i2c_power $body ${chips:+--chips "$chips"} ${receiver:+--receiver "$receiver"} ${wires:+--interrupts "$wires"} \
    ${extint:+--extint "$extint"}
}

# i2c_power OPTION...: starts the program that simulates the chips of the bus, with options of "binnacle-sim i2c".
i2c_power() {
  binnacle-sim i2c --adapter "/dev/i2c-uadap$i2c_bus" --control /run/i2c "$@" >>"$i2c_said" 2>&1 &
  i2c_chips_process=$!
  wait_for 5 "the chips have power" text_in "$i2c_said" "on /dev/i2c-uadap$i2c_bus"
}

# i2c_order WORD...: gives an order to the simulator of the bus, such as a fault. The order is in effect at the return. Bench/README.md
# lists the orders.
i2c_order() {
  local before
  before=$(lines_in "$i2c_said" '^done: \|^refused: ')
  echo "$*" >/run/i2c
  is_answered() { [ "$(lines_in "$i2c_said" '^done: \|^refused: ')" -gt "$before" ]; }
  becomes_true 5 is_answered || fail "the simulator of the bus does not answer"
  text_in "$i2c_said" "^done: $*\$" || fail "the simulator of the bus refused the order '$*'"
  say "$*"
}

# i2c_transfers, i2c_mishaps: the number of transfers; the number of failed transfers.
i2c_transfers() { i2c_report 's/^report: \([0-9]*\) .*/\1/p'; }
i2c_mishaps() { i2c_report 's/^report: .* \([0-9]*\) of them.*/\1/p'; }
i2c_report() {
  i2c_order report >/dev/null
  sed -n "$1" "$i2c_said" | tail -n 1
}

# accelerometers NAME[=ADDRESS]...: simulated chips on bus 1, which the daemon may open. The options are those of i2c_chips.
accelerometers() {
  mkdir -p "$said"
  i2c_chips "$@"
  getent group i2c >/dev/null || groupadd --system i2c
  device_for i2c /dev/i2c-1
}

# no_accelerometers: removes the chips; no chip answers on the bus.
no_accelerometers() {
  kill "$i2c_chips_process"
  wait "$i2c_chips_process" || true
  : >"$i2c_said"
}

# accelerometer_profile [LINE...]: /run/bench.conf, a board with bus 1 and these lines in [Accelerometer].
accelerometer_profile() {
  printf '[Board]\nName=Bench\nGPIO=pinctrl-bench\nI2C=/dev/i2c-1\n[Accelerometer]\n' >/run/bench.conf
  for line in Chip=auto "$@"; do
    key=${line%%=*}
    [ "$key" = Chip ] && sed -i '/^Chip=/d' /run/bench.conf
    echo "$line" >>/run/bench.conf
  done
}

# start_daemon_with_accelerometer [OPTION...]: starts the daemon with this profile. Other devices need options.
start_daemon_with_accelerometer() { start_daemon --board /run/bench.conf "$@"; }

accelerometer_is() { status_is accelerometer.state "$1"; }

# thousandths NAME: a number of the status in thousandths.
thousandths() { status_value "$1" | awk '{ printf "%d", $1 * 1000 }'; }

# all_switches PROCESS: voluntary context switches of all its threads.
all_switches() {
  cat "/proc/$1/task/"*/status | awk '$1 == "voluntary_ctxt_switches:" { sum += $2 } END { print sum }'
}
