# Contacts that bounce longer than a press is debounced make one press, not many; a spike makes none.

panel_chip
panel_profile
# Slower than the simulated interrupts, which take 20 ms for each edge.
sed -i 's/^Line=HOME/&\nDebounce=60 ms/' /run/panel.conf
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed

button_down HOME
button_up HOME
dwell 1
expect_equal "presses after a spike" "$(status_value buttons.HOME.short)" 0

bounce HOME 4
button_down HOME
dwell 0.3
button_up HOME
bounce HOME 4
wait_for 5 "one short press" daemon_said 'HOME: short press'
dwell 2
expect_equal "short presses" "$(status_value buttons.HOME.short)" 1
expect_equal "double presses" "$(status_value buttons.HOME.double)" 0
expect_equal "ignored presses" "$(status_value buttons.HOME.ignored)" 0
case $(status_value daemon.libgpiod) in
1.*)
  expect "the chip does not debounce" status_is buttons.HOME.is_debounced_by_chip no
  expect_within "bounces that were seen" "$(status_value buttons.HOME.bounces)" 8 24
  ;;
*)
  # libgpiod 2 has the kernel do it, which keeps the bounces to itself.
  expect "the kernel debounces" status_is buttons.HOME.is_debounced_by_chip yes
  expect_equal "bounces that were seen" "$(status_value buttons.HOME.bounces)" 0
  ;;
esac
stop_daemon
