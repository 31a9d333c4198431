# Clients connect without a pause for fifteen seconds. An older client gets its locations meanwhile. Within a minute after the flood
# the daemon's memory is at most 16 MB.
# bench: time=natural limit=180

tool python3
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
expect_equal "starts of the daemon" "$(daemon_starts)" 1
wait_for 10 "the daemon has removed the clients of the flood" status_is clients.count 2
stop_daemon
