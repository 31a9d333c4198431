# Lines of a simulated chip (gpio-sim). The scenario sets and reads the levels outside of the chip.

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

# gpio_remove LABEL: unplugs the chip; gpio_return LABEL: plugs the chip in again.
gpio_remove() { echo 0 >"$gpio_config/$1/live"; }
gpio_return() { echo 1 >"$gpio_config/$1/live"; }

# gpio_line LINE: the folder with the outside level of a line.
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

# gpio_pull LINE up|down: an external device pulls the line to this level. A simulated interrupt waits for the kernel's next tick
# (10 ms), and two changes within one tick would appear as one change. The function therefore takes two ticks.
gpio_pull() {
  echo "pull-$2" >"$(gpio_line "$1")/pull"
  sleep 0.02
}

# gpio_value LINE: the level outside of the chip, 0 or 1.
gpio_value() { cat "$(gpio_line "$1")/value"; }

# led_is LINE 0|1: whether the level outside of the chip is this value.
led_is() { [ "$(gpio_value "$1")" = "$2" ]; }

# button_down LINE, button_up LINE: a button pulls its line to ground, as the buttons of boards do; the button is released.
button_down() { gpio_pull "$1" down; }
button_up() { gpio_pull "$1" up; }

# press LINE SECONDS: a press of a button. Only one program starts between the edges, because each start of a program makes the press
# longer on a busy machine.
press() {
  press_pull=$(gpio_line "$1")/pull
  echo pull-down >"$press_pull"
  sleep "$2"
  echo pull-up >"$press_pull"
  sleep 0.02
}

# bounce LINE COUNT: the contacts of a button close and open COUNT times, two ticks for each change. They are open at the end.
bounce() {
  count=$2
  while [ "$count" -gt 0 ]; do
    button_down "$1"
    button_up "$1"
    count=$((count - 1))
  done
}
