# A line's pull is read as its level, a set line is seen outside, a held line is refused to others, and a
# press and a release are two edges.

tool gpioset
gpio_chip pinctrl-bench BUTTON LED
chip=$(gpio_device pinctrl-bench)

gpio_pull BUTTON up
expect_equal "the button's line, up" "$(gpioget "$chip" 0)" 1
gpio_pull BUTTON down
expect_equal "the button's line, down" "$(gpioget "$chip" 0)" 0

gpioset --mode=signal "$chip" 1=1 &
holder=$!
wait_for 2 "the lamp is on" led_is LED 1
expect_not "a held line is refused" gpioget "$chip" 1
kill "$holder"

gpioinfo "$chip" >/run/lines
expect "lines have their names" text_in /run/lines '"BUTTON"'

gpiomon --num-events=2 --format=%e "$chip" 0 >/run/edges &
monitor=$!
button_is_watched() { gpioinfo "$chip" | grep -q '"BUTTON".*\[used\]'; }
wait_for 2 "a program watches the button" button_is_watched
gpio_pull BUTTON up
gpio_pull BUTTON down
wait "$monitor"
expect_equal "edges" "$(tr '\n' ' ' </run/edges)" "1 0 "
