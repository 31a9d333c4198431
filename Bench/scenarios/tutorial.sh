# An ordinary user with sudo runs all commands of Docs/TUTORIAL.md as they are written: an app that is built in Swift, a person's
# answer, the background, a crash, a power cut, and an app in Python. The compiler does not work with time travel, so time is natural.
# bench: time=natural disk=256M memory=2G limit=400

page_board /home /usr/local/lib
users="/etc/passwd /etc/group"
# The words are paths.
# shellcheck disable=SC2086
[ "$BENCH_BOOT" = 1 ] || cp -p /disk/users/* /etc
page_reader

# tap LINE BUTTON: a short press of a button. On a busy machine the press may be too long; then it is repeated.
tap() {
  local button=$2 before turn
  is_short() { [ "$(lines_in "$said/daemon" "button $button: short press")" -gt "$before" ]; }
  for turn in 1 2 3; do
    before=$(lines_in "$said/daemon" "button $button: short press")
    press "$1" 0.1
    if becomes_true 5 is_short; then return 0; fi
    say "press $turn of button $button was not short"
  done
  fail "button $button had no short press"
}

page_action() {
  case $1 in
  'press ALLOW') tap GPIO6 ALLOW ;;
  'press HOME') tap GPIO5 HOME ;;
  'the lamp is lit') wait_for 20 "the lamp is lit" led_is GPIO23 1 ;;
  'the lamp is dark') wait_for 20 "the lamp is dark" led_is GPIO23 0 ;;
  'trip is launched again')
    is_launched_again() { app_is trip launches 2 && app_is trip background_session true; }
    wait_for 20 "the app trip is launched again and has its session" is_launched_again
    ;;
  'pull the plug')
    mkdir -p /disk/users
    # shellcheck disable=SC2086
    cp -p $users /disk/users
    echo "$number" >/disk/step
    sync
    power_cut
    ;;
  *) fail "this scenario has no action '$1'" ;;
  esac
}

if [ "$BENCH_BOOT" = 1 ]; then
  # The tutorial begins at the place of Docs/START.md where the board is ready.
  last=0
  page_split "$BENCH_HOME/../Docs/START.md" start
  while read -r number kind line <&3; do
    if text_in "$page_folder/start/$number.do" '^the board is ready$'; then break; fi
    page_step start "$number" "$kind" "$line"
  done 3<"$page_folder/start.list"
  [ "$kind" = do ] || fail "Docs/START.md has no action 'the board is ready'"
else
  last=$(cat /disk/step)
  systemctl start binnacled
fi
page_split "$BENCH_HOME/../Docs/TUTORIAL.md" page
while read -r number kind line <&3; do
  [ "$number" -gt "$last" ] || continue
  page_step page "$number" "$kind" "$line"
  if text_in "$page_folder/page/$number.sh" '^binnacle who$'; then
    page_controls "$BENCH_HOME/../Docs/TUTORIAL.md" "$number" 's/  background  /  foreground  /' 's/ who/ whom/'
  fi
done 3<"$page_folder/page.list"
