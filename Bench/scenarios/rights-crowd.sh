# Four users hold all places of ordinary clients, and a fifth user is refused. An app with a manifest still connects, and root still
# switches location services. Then twelve clients of root request reports without a pause. No location is late, and no update reports
# that the location is unavailable.
# bench: time=natural limit=240

for program in python3 setpriv; do tool $program; done
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_daemon --receiver /dev/ttyS0
binnacle allow org.example.tracker

# hold USER: the user tries to connect 16 clients. $said/USER has the number of admitted clients and the refusal.
hold() {
  app_user "$1"
  setpriv --reuid="$1" --regid="$1" --clear-groups python3 -S "$BENCH_HOME/lib/crowd.py" hold 16 >"$said/$1" 2>&1 &
  wait_for 20 "the clients of $1 have an answer" test -s "$said/$1"
}
for user in bob carl dora eve; do
  hold $user
  expect_equal "admitted clients of $user, and the refusal" "$(cat "$said/$user")" "16 none"
done
hold fred
expect "the daemon refuses the clients of a fifth user" text_in "$said/fred" '^0 refused: .*64 clients'
hold ann
expect_equal "admitted clients of the app's user, and the refusal" "$(cat "$said/ann")" "16 none"
start_app tracker
in_front tracker
more_fixes 60 tracker 3
services off
wait_for 5 "the app's update reports that location services are off" last_says tracker authorizationDeniedGlobally
services on
more_fixes 20 tracker 3

# longest_gap FROM: the longest time between two locations of the app after FROM, in milliseconds.
longest_gap() {
  location_times tracker | awk -v from="$1" '
    $1 >= from { if (last && $1 - last > gap) gap = $1 - last; last = $1 }
    END { printf "%d", gap / 1000000 }'
}
calm=$(last_location tracker)
more_fixes 20 tracker 5
say "the longest gap before the requests: $(longest_gap "$calm") ms"
storm=$(last_location tracker)
unavailable=$(lines_in "$said/tracker" '"locationUnavailable":true')
python3 -S "$BENCH_HOME/lib/crowd.py" ask 12 10 >"$said/reports"
read -r reports served <"$said/reports"
expect_equal "clients that got reports until the end" "$served" 12
expect_within "reports that the clients got" "$reports" 150 500
expect_within "locations of the app during the requests" "$(locations_between tracker "$storm" '')" 10 30
expect_within "the longest gap between two locations, in milliseconds" "$(longest_gap "$storm")" 900 1900
expect_equal "updates that report a missing location" \
  "$(lines_in "$said/tracker" '"locationUnavailable":true')" "$unavailable"
expect_equal "starts of the daemon" "$(daemon_starts)" 1

# The control: a daemon that is stopped for 3 s makes a gap.
still=$(last_location tracker)
kill -STOP "$(daemon_pid)"
dwell 3
kill -CONT "$(daemon_pid)"
more_fixes 20 tracker 2
expect_within "the longest gap with a stopped daemon, in milliseconds" "$(longest_gap "$still")" 2000 5000
end_app tracker
stop_daemon
