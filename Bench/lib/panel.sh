# Buttons and lights of a board with the chip pinctrl-bench, and a daemon that uses them.

panel_lines="HOME ALLOW INDICATOR STATUS SENSE"

# panel_chip: makes the chip. No button is pressed.
panel_chip() {
  # The words are names of lines.
  # shellcheck disable=SC2086
  gpio_chip pinctrl-bench $panel_lines
  panel_permitted
}

# panel_permitted: sets the access rights of the chip, as udev does.
panel_permitted() {
  getent group gpio >/dev/null || systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
  device_for gpio "/dev/$(gpio_device pinctrl-bench)"
}

# panel_profile [BIAS [SENSE]]: writes the profile of that board, /run/panel.conf. BIAS is the bias of HOME; SENSE is a line that is
# wired to the indicator.
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

# start_panel [OPTION...]: starts the daemon with that profile. The daemon claims all lines that it can.
start_panel() {
  [ -f /run/panel.conf ] || panel_profile
  start_daemon --board /run/panel.conf --receiver /dev/ttyS0 --log-level debug "$@"
}

panel_is_claimed() { status_is "buttons.ALLOW.line_state" claimed; }

# said_times PATTERN COUNT: whether the daemon's log has exactly COUNT matching lines.
said_times() { [ "$(lines_in "$said/daemon" "$1")" = "$2" ]; }
