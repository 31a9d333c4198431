# Lines of a chip that exists only in this kernel (gpio-sim): what is outside of the chip is ours.

gpio_config=/sys/kernel/config/gpio-sim

# gpio_chip LABEL LINE...: makes a chip with these lines, named in their order.
gpio_chip() {
  label=$1
  shift
  bank=$gpio_config/$label/bank0
  mkdir "$gpio_config/$label" "$bank"
  echo $# >"$bank/num_lines"
  echo "$label" >"$bank/label"
  offset=0
  for line; do
    mkdir "$bank/line$offset"
    echo "$line" >"$bank/line$offset/name"
    offset=$((offset + 1))
  done
  echo 1 >"$gpio_config/$label/live"
}

# gpio_remove LABEL: takes the chip away as if it were unplugged; gpio_return brings it back.
gpio_remove() { echo 0 >"$gpio_config/$1/live"; }
gpio_return() { echo 1 >"$gpio_config/$1/live"; }

# The folder in which the outside of a line is seen.
gpio_line() {
  for name in "$gpio_config"/*/bank0/line*/name; do
    [ "$(cat "$name")" = "$1" ] || continue
    line=$(dirname "$name")
    bank=$(dirname "$line")
    chip=$(cat "$bank/chip_name")
    device=$(cat "$(dirname "$bank")/dev_name")
    echo "/sys/devices/platform/$device/$chip/sim_gpio${line##*/line}"
    return
  done
  fail "no chip has a line $1"
}

# gpio_device LABEL: the chip's name below /dev.
gpio_device() { cat "$gpio_config/$1/bank0/chip_name"; }

# gpio_pull LINE up|down: what hangs on the line outside pulls it there. A simulated interrupt waits for the kernel's
# next tick (10 ms), and two changes within one would be seen as one; so this takes two ticks.
gpio_pull() {
  echo "pull-$2" >"$(gpio_line "$1")/pull"
  sleep 0.02
}

# gpio_value LINE: the level that is seen outside, 0 or 1.
gpio_value() { cat "$(gpio_line "$1")/value"; }

# led_is LINE 0|1
led_is() { [ "$(gpio_value "$1")" = "$2" ]; }

# Buttons pull their line to ground, as those on boards do.
button_down() { gpio_pull "$1" down; }
button_up() { gpio_pull "$1" up; }

# press LINE SECONDS: one program starts between the edges, because each start makes a press longer on a busy machine.
press() {
  press_pull=$(gpio_line "$1")/pull
  echo pull-down >"$press_pull"
  sleep "$2"
  echo pull-up >"$press_pull"
  sleep 0.02
}

# bounce LINE COUNT: contacts that touch and part, every two ticks once; they end apart.
bounce() {
  count=$2
  while [ "$count" -gt 0 ]; do
    button_down "$1"
    button_up "$1"
    count=$((count - 1))
  done
}
