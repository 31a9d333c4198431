# Contacts that bounce longer than the debounce time make one press. A spike makes no press.

panel_chip
panel_profile
# The debounce time is longer than that of the simulated interrupts, which take 20 ms for each edge.
sed -i 's/^Line=HOME/&\nDebounce=60 ms/' /run/panel.conf
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed

button_down HOME
button_up HOME
dwell 1
expect_equal "short presses of HOME after a spike" "$(status_value buttons.HOME.short)" 0

bounce HOME 4
button_down HOME
dwell 0.3
button_up HOME
bounce HOME 4
wait_for 5 "the daemon's log has a short press of HOME" daemon_said 'HOME: short press'
dwell 2
expect_equal "short presses of HOME after the bounces" "$(status_value buttons.HOME.short)" 1
expect_equal "double presses of HOME after the bounces" "$(status_value buttons.HOME.double)" 0
expect_equal "ignored presses of HOME after the bounces" "$(status_value buttons.HOME.ignored)" 0
case $(status_value daemon.libgpiod) in
1.*)
  expect "the kernel does not debounce the button" status_is buttons.HOME.is_debounced_by_chip no
  expect_within "bounces that the daemon counted" "$(status_value buttons.HOME.bounces)" 8 24
  ;;
*)
  # With libgpiod 2 the kernel debounces the line and does not report the bounces.
  expect "the kernel debounces the button" status_is buttons.HOME.is_debounced_by_chip yes
  expect_equal "bounces that the daemon counted" "$(status_value buttons.HOME.bounces)" 0
  ;;
esac
stop_daemon
