# Clients connect without a pause for fifteen seconds. An older client gets its locations meanwhile. Within a minute after the flood
# the daemon's memory is at most 16 MB. Then three programs of an ordinary user connect and hang up without a pause. The daemon
# carries out each command of root, and an older client gets its locations.
# bench: time=natural limit=240

for program in python3 setpriv; do tool $program; done
start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch before
more_fixes 60 before 3

resident_kb() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(daemon_pid)/status"; }
peak_kb() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(daemon_pid)/status"; }
say "the daemon's memory before the flood: $(resident_kb) kB"
python3 -S "$BENCH_HOME/lib/crowd.py" flood 15 >"$said/flood" &
flood=$!
more_fixes 30 before 5
expect "the flood still runs" kill -0 "$flood"
wait "$flood"
say "the daemon's memory after $(cat "$said/flood") connections: $(resident_kb) kB, at most $(peak_kb) kB"
expect_within "connections of the flood" "$(cat "$said/flood")" 500 1000000
is_small() { [ "$(resident_kb)" -le 16384 ]; }
wait_for 60 "the daemon's memory is at most 16 MB" is_small
say "the daemon's memory at the end: $(resident_kb) kB"

app_user bob
loops=
for number in 1 2 3; do
  setpriv --reuid=bob --regid=bob --clear-groups python3 -S "$BENCH_HOME/lib/crowd.py" loop &
  loops="$loops $!"
done
wait_for 90 "the daemon refuses connections of the user" daemon_said "user $(id -u bob) was refused"
for number in $(seq 10); do
  for state in off on; do expect "command $number: location services are $state" services $state; done
done
more_fixes 60 before 3
for loop in $loops; do expect "a program of the user still runs" kill -0 "$loop"; done
kill $loops
say "the daemon has refused $(status_value connections.refused) connections"

expect_equal "starts of the daemon" "$(daemon_starts)" 1
wait_for 10 "the daemon has removed the clients of the flood" status_is clients.count 2
stop_daemon
