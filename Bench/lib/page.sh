# Pages of the documentation whose commands are carried out as they are written. page.py describes how a page has its steps.

page_folder=/run/page
page_user=maker

# page_reader: the ordinary user that reads a page, with a home, with sudo, and with the Swift of the host.
page_reader() {
  id $page_user >/dev/null 2>&1 || useradd --create-home --shell /bin/bash $page_user
  install -m 4755 "$BENCH_TOOLS/sudo" /usr/bin/sudo
  install -d -o $page_user "$page_folder"
  echo /home/$page_user >"$page_folder/place"
  chown $page_user "$page_folder/place"
}

# page_split PAGE FOLDER: the steps of a page, and their list FOLDER/list.
page_split() {
  /usr/bin/python3 "$BENCH_HOME/lib/page.py" split "$1" "$page_folder/$2" >"$page_folder/$2.list" || fail "$1 is no page of steps"
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

# page_agrees FOLDER NUMBER: runs the commands; their output is the one that the page shows.
page_agrees() {
  page_runs "$1" "$2" && /usr/bin/python3 "$BENCH_HOME/lib/page.py" compare "$page_folder/$1/$2.out" "$page_folder/$1/$2.actual"
}

# page_passes SECONDS FOLDER NUMBER: a step without output runs once, and succeeds. A step with output is repeated until its output is
# the one of the page.
page_passes() {
  if [ -f "$page_folder/$2/$3.out" ]; then
    becomes_true "$1" page_agrees "$2" "$3"
  else
    page_runs "$2" "$3"
  fi
}

# page_step FOLDER NUMBER KIND LINE: carries a step out. page_action ACTION, which the scenario has, carries out what a person does.
page_step() {
  local step="$page_folder/$1/$2"
  case $3 in
  sh)
    if ! page_passes 60 "$1" "$2"; then
      sed 's/^/| /' "$step.actual"
      [ ! -f "$step.out" ] || sed 's/^/wanted: /' "$step.out"
      fail "line $4 of the page: its commands fail, or print something else (above)"
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
