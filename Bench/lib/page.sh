# Runs the commands of documentation pages as they are written. page.py describes the steps of a page.

page_folder=/run/page
page_user=maker

# page_reader: the ordinary user that reads a page, with a home, with sudo, and with the Swift of the host.
page_reader() {
  if [ "$BENCH_BOOT" = 1 ]; then
    # The host may have a user of this name, whose home is not in the guest.
    if id $page_user >/dev/null 2>&1; then userdel $page_user; fi
    useradd --create-home --shell /bin/bash $page_user
  fi
  install -m 4755 "$BENCH_TOOLS/sudo" /usr/bin/sudo
  install -d -o $page_user "$page_folder"
  echo /home/$page_user >"$page_folder/place"
  chown $page_user "$page_folder/place"
}

# page_board PLACE...: the board that the pages describe: a Raspberry Pi 4 with a receiver, lights and buttons, whose disk keeps these
# places and the daemon's over a power cut.
page_board() {
  local place
  disk_mounted /disk
  for place in /etc/binnacle /var/lib/binnacle "$@"; do
    mkdir -p "/disk$place" "$place"
    mount --bind "/disk$place" "$place"
  done
  # The lines of the header have the names of their numbers.
  # shellcheck disable=SC2046
  gpio_chip pinctrl-bcm2711 $(seq -f GPIO%g 0 27)
  service_user
  device_for gpio "/dev/$(gpio_device pinctrl-bcm2711)"
  ln -sf ttyS0 /dev/serial0
  start_receiver
  device_for dialout /dev/ttyS0
  # The kernel of the bench has no device tree, so the options name the profile, and the copy of the profile names no board.
  echo 'BINNACLE_OPTIONS="--board raspberry-pi-4"' >/etc/default/binnacle
  mkdir -p /etc/binnacle/boards
  sed '/^Compatible=/d' /usr/share/binnacle/boards/raspberry-pi-4.conf >/etc/binnacle/boards/raspberry-pi-4.conf
  install -m 755 "$BENCH_HOME/lib/systemctl" /usr/bin/systemctl
  clock_set_by_network
}

# clock_set_by_network: the kernel believes that a time server corrects its clock.
clock_set_by_network() {
  /usr/bin/python3 - <<'END'
import ctypes

class Timex(ctypes.Structure):
    _fields_ = [("modes", ctypes.c_uint), ("values", ctypes.c_long * 4), ("status", ctypes.c_int), ("rest", ctypes.c_char * 256)]

# ADJ_STATUS, ADJ_MAXERROR: modes, then offset, frequency, maxerror, esterror, status.
order = Timex(modes=0x0010 | 0x0004, status=0)
assert ctypes.CDLL(None).adjtimex(ctypes.byref(order)) >= 0
END
}

# page_split PAGE FOLDER: the steps of a page, and their list FOLDER/list.
page_split() {
  /usr/bin/python3 "$BENCH_HOME/lib/page.py" split "$1" "$page_folder/$2" >"$page_folder/$2.list" || fail "cannot split $1 into steps"
}

# page_runs FOLDER NUMBER: runs the commands of a step as the reader. The next step begins in the directory where this one ends.
page_runs() {
  setpriv --reuid=$page_user --regid=$page_user --init-groups --reset-env \
    env "PATH=/usr/local/bin:/usr/bin:/bin:$BENCH_SWIFT" "BENCH_HOME=$BENCH_HOME" "BENCH_TOOLS=$BENCH_TOOLS" bash -c '
      set -eu
      cd "$(cat "$1/place")"
      . "$2"
      pwd >"$1/place"' - "$page_folder" "$page_folder/$1/$2.sh" >"$page_folder/$1/$2.actual" 2>&1 </dev/null
}

# page_ends FOLDER NUMBER: runs the commands. Their status must be the status that the page names, or 0.
page_ends() {
  local wanted=0 status=0
  [ ! -f "$page_folder/$1/$2.status" ] || wanted=$(cat "$page_folder/$1/$2.status")
  page_runs "$1" "$2" || status=$?
  [ "$status" = "$wanted" ]
}

# page_agrees FOLDER NUMBER: whether the status and the output of the commands are those of the page.
page_agrees() {
  page_ends "$1" "$2" && /usr/bin/python3 "$BENCH_HOME/lib/page.py" compare "$page_folder/$1/$2.out" "$page_folder/$1/$2.actual"
}

# page_passes SECONDS FOLDER NUMBER: whether a step succeeds. A step without output runs once. A step with output is repeated until
# its output is that of the page.
page_passes() {
  if [ -f "$page_folder/$2/$3.out" ]; then
    becomes_true "$1" page_agrees "$2" "$3"
  else
    page_ends "$2" "$3"
  fi
}

# page_step FOLDER NUMBER KIND LINE: carries out a step. The scenario's function page_action ACTION carries out the act of a person.
page_step() {
  local step="$page_folder/$1/$2"
  case $3 in
  sh)
    if ! page_passes 60 "$1" "$2"; then
      sed 's/^/| /' "$step.actual"
      [ ! -f "$step.out" ] || sed 's/^/wanted: /' "$step.out"
      fail "line $4 of the page: the commands fail or print other output (above)"
    fi
    say "ok: line $4: $(head -n 1 "$step.sh")"
    [ ! -f "$step.out" ] || sed 's/^/| /' "$step.actual"
    ;;
  do)
    say "line $4: $(cat "$step.do")"
    page_action "$(cat "$step.do")"
    ;;
  left) say "line $4 is not carried out here" ;;
  esac
}

# page_controls PAGE STEP OUTPUT COMMAND: the controls of a step that has passed. The sed scripts OUTPUT and COMMAND change the step.
# The step must fail with another output, with a wrong command, and with a wrong command without an output.
page_controls() {
  local step="$page_folder/control/$2"
  page_split "$1" control
  sed -i "$3" "$step.out"
  expect_not "the control's output differs from the page's output" cmp -s "$step.out" "$page_folder/page/$2.out"
  expect_not "the step fails with another output" page_passes 2 control "$2"
  sed -i "$4" "$step.sh"
  expect_not "the step fails with a wrong command" page_passes 2 control "$2"
  rm "$step.out"
  expect_not "the step fails with a wrong command, without an output" page_passes 2 control "$2"
}
