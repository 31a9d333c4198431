# Docs/TUTORIAL.md from its first to its last command, as an ordinary user with sudo and as it is written: a profile, a first fix, an app
# that is built in Swift, a person's answer, the background, a crash, a power cut, and an app in Python.
# The compiler is not made for time that travels, so time is the host's.
# bench: time=natural disk=256M memory=2G limit=400

# The board's disk: what the commands of the page write survives the power cut.
disk_mounted /disk
kept() {
  for place; do
    mkdir -p "/disk$place" "$place"
    mount --bind "/disk$place" "$place"
  done
}
kept /etc/binnacle /home /usr/local/lib /var/lib/binnacle
users="/etc/passwd /etc/group"
# The words are paths.
# shellcheck disable=SC2086
[ "$BENCH_BOOT" = 1 ] || cp -p /disk/users/* /etc

# The header of a Raspberry Pi 4, whose lines have the names of their numbers.
# shellcheck disable=SC2046
gpio_chip pinctrl-bcm2711 $(seq -f GPIO%g 0 27)
service_user
device_for gpio "/dev/$(gpio_device pinctrl-bcm2711)"
ln -sf ttyS0 /dev/serial0
start_receiver
device_for dialout /dev/ttyS0
# The kernel of the bench has no device tree, so that the profile is named, and its copy names no board.
echo 'BINNACLE_OPTIONS="--board raspberry-pi-4"' >/etc/default/binnacle
mkdir -p /etc/binnacle/boards
sed '/^Compatible=/d' /usr/share/binnacle/boards/raspberry-pi-4.conf >/etc/binnacle/boards/raspberry-pi-4.conf
install -m 755 "$BENCH_HOME/lib/systemctl" /usr/bin/systemctl
page_reader

# tap LINE BUTTON: a short press. On a busy machine it may last longer than a short press; then it is repeated.
tap() {
  local button=$2 before turn
  is_short() { [ "$(lines_in "$said/daemon" "button $button: short press")" -gt "$before" ]; }
  for turn in 1 2 3; do
    before=$(lines_in "$said/daemon" "button $button: short press")
    press "$1" 0.2
    if becomes_true 5 is_short; then return 0; fi
    say "press $turn of $button was not short"
  done
  fail "$button was not pressed for a moment"
}

page_action() {
  case $1 in
  'press ALLOW') tap GPIO6 ALLOW ;;
  'press HOME') tap GPIO5 HOME ;;
  'the lamp is lit') wait_for 20 "the lamp is lit" led_is GPIO23 1 ;;
  'the lamp is dark') wait_for 20 "the lamp is dark" led_is GPIO23 0 ;;
  'trip is launched again')
    is_launched_again() { app_is trip launches 2 && app_is trip background_session true; }
    wait_for 20 "trip is launched again, and has its session" is_launched_again
    ;;
  'pull the plug')
    mkdir -p /disk/users
    # shellcheck disable=SC2086
    cp -p $users /disk/users
    echo "$number" >/disk/step
    sync
    power_cut
    ;;
  *) fail "no person does '$1' here" ;;
  esac
}

# control STEP: the controls of a step that has passed. A wrong command and a wrong output in the page are noticed.
control() {
  local step=$1
  page_split "$BENCH_HOME/../Docs/TUTORIAL.md" control
  sed -i 's/  receiver  /  reciever  /' "$page_folder/control/$step.out"
  expect_not "another output passes" page_passes 2 control "$step"
  sed -i 's/ status/ statos/' "$page_folder/control/$step.sh"
  expect_not "a wrong command passes" page_passes 2 control "$step"
  rm "$page_folder/control/$step.out"
  expect_not "a wrong command passes without an output" page_passes 2 control "$step"
}

last=0
if [ "$BENCH_BOOT" != 1 ]; then
  last=$(cat /disk/step)
  systemctl start binnacled
fi
page_split "$BENCH_HOME/../Docs/TUTORIAL.md" page
while read -r number kind line <&3; do
  [ "$number" -gt "$last" ] || continue
  page_step page "$number" "$kind" "$line"
  if text_in "$page_folder/page/$number.sh" '^binnacle status$'; then control "$number"; fi
done 3<"$page_folder/page.list"
