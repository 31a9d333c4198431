# Buttons and lights of a board whose chip is pinctrl-bench, and a daemon that has them.

panel_lines="HOME ALLOW INDICATOR STATUS SENSE"

# panel_chip: the chip, with everything let go.
panel_chip() {
  # The words are names of lines.
  # shellcheck disable=SC2086
  gpio_chip pinctrl-bench $panel_lines
  panel_permitted
}

# panel_permitted: what udev does when the chip appears.
panel_permitted() {
  getent group gpio >/dev/null || systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
  device_for gpio "/dev/$(gpio_device pinctrl-bench)"
}

# panel_profile [BIAS [SENSE]]: the profile of that board, /run/panel.conf; BIAS is that of HOME, SENSE a line
# that is wired to the indicator.
panel_profile() {
  cat >/run/panel.conf <<END
[Board]
GPIO=pinctrl-bench
[Indicator]
Line=INDICATOR
${2:+Sense=$2}
[StatusLED]
Line=STATUS
[Button HOME]
Line=HOME
Bias=${1:-pull-up}
# So that all three gestures are recognized.
Double=mark
[Button ALLOW]
Line=ALLOW
END
}

# start_panel [OPTION...]: the daemon with that profile; it has all the lines afterwards, unless it cannot.
start_panel() {
  [ -f /run/panel.conf ] || panel_profile
  start_daemon --board /run/panel.conf --receiver /dev/ttyS0 --log-level debug "$@"
}

panel_is_claimed() { status_is "buttons.ALLOW.line_state" claimed; }

# said_times PATTERN COUNT: the daemon has said it so often.
said_times() { [ "$(lines_in "$said/daemon" "$1")" = "$2" ]; }
