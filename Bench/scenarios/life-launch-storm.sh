# An app that ends at each launch is launched at most five times in ten minutes, the start by a person included. A person can still
# start the app.
# bench: limit=120

panel_chip
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann --background
run_allowed_app tracker
binnacle home
more_fixes 20 tracker 3
# From now on the program ends at once.
cat >/usr/lib/tracker/tracker <<END
#!/bin/sh
echo launch >>$said/tracker.launches
exit 3
END
launches=$(launches tracker)
kill -KILL "$(process_of tracker)"
dwell 50
storm=$(($(launches tracker) - launches))
expect_within "launches of the app in 50 s" "$storm" 3 4
expect "'binnacle apps' has the time of the next launch" sh -c 'binnacle apps --json | grep -q next_launch_at'
expect "'binnacle apps' has the exit status of the app" sh -c "binnacle apps --json | grep -q 'ended with status 3'"
expect "'binnacle why' has the exit status of the app" reason_says tracker process 'ended with status 3'
dwell 20
expect_equal "launches of the app in the next 20 s" $(($(launches tracker) - launches - storm)) 0
# The program ends at once, so the command may report an error.
binnacle start org.example.tracker || true
wait_for 5 "the launcher has launched the app for the person" was_launched tracker $((launches + storm + 1))
stop_daemon
