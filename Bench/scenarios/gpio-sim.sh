# The simulated GPIO chip. A program reads a line's pull as its level, and the level of a set line is readable outside of the chip. The
# kernel refuses a held line to other programs. A press and a release are two edges.

tool gpioset
gpio_chip pinctrl-bench BUTTON LED
chip=$(gpio_device pinctrl-bench)

gpio_pull BUTTON up
expect_equal "level of the button's line with a pull-up" "$(gpioget "$chip" 0)" 1
gpio_pull BUTTON down
expect_equal "level of the button's line with a pull-down" "$(gpioget "$chip" 0)" 0

gpioset --mode=signal "$chip" 1=1 &
holder=$!
wait_for 2 "the lamp is on" led_is LED 1
expect_not "the kernel refuses a held line to another program" gpioget "$chip" 1
kill "$holder"

gpioinfo "$chip" >/run/lines
expect "the chip's line has the name BUTTON" text_in /run/lines '"BUTTON"'

gpiomon --num-events=2 --format=%e "$chip" 0 >/run/edges &
monitor=$!
button_is_watched() { gpioinfo "$chip" | grep -q '"BUTTON".*\[used\]'; }
wait_for 2 "a program watches the button" button_is_watched
gpio_pull BUTTON up
gpio_pull BUTTON down
wait "$monitor"
expect_equal "edges of the button's line" "$(tr '\n' ' ' </run/edges)" "1 0 "
