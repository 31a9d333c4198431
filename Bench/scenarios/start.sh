# An ordinary user with sudo runs all commands of Docs/START.md as they are written: a profile, a first fix, a program in Python, a
# page for helpers, and the output for each symptom on hardware with that symptom.
# bench: disk=64M memory=512M limit=120

page_board
page_reader
# The package has started the service before the reader changes a setting. Without a restart the daemon looks for the accelerometer that the
# drop-in takes away, and "binnacle status" has a line for this fault.
systemctl start binnacled

page_action() {
  case $1 in
  'the board is ready') ;;
  'the receiver has no power') stop_receiver ;;
  'the receiver has power')
    stop_receiver
    start_receiver
    ;;
  "the wire to the receiver's RX is missing")
    stop_receiver
    start_receiver --oddities hears-nothing
    ;;
  'another device is on the line')
    stop_receiver
    (while :; do head -c 200 /dev/urandom; sleep 1; done >/dev/ttyS1) &
    noise=$!
    ;;
  'the antenna is in a cellar, and a program wants positions')
    kill "$noise"
    start_receiver --start cold --sky 0
    start_watch cellar
    # The daemon waits a minute for the first fix before it reports that there is none.
    dwell 80
    ;;
  'the daemon is stopped')
    pkill -x supervise
    wait_for 10 "the daemon has ended" daemon_is_gone
    ;;
  *) fail "this scenario has no action '$1'" ;;
  esac
}
daemon_is_gone() { ! pgrep -x binnacled >/dev/null; }

page_split "$BENCH_HOME/../Docs/START.md" page
while read -r number kind line <&3; do
  page_step page "$number" "$kind" "$line"
  if text_in "$page_folder/page/$number.sh" '^binnacle status$'; then
    page_controls "$BENCH_HOME/../Docs/START.md" "$number" 's/  receiver  /  reciever  /' 's/ status/ statos/'
  fi
done 3<"$page_folder/page.list"
