# An app that ends at each launch is launched at most five times in ten minutes, and then at growing distances.
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
expect_within "launches in 50 s" "$storm" 3 6
expect "the next launch has a time" sh -c 'binnacle apps --json | grep -q next_launch_at'
expect "the list has the reason" sh -c "binnacle apps --json | grep -q 'ended with status 3'"
expect "why names it" reason_says tracker process 'ended with status 3'
dwell 20
expect_equal "further launches" $(($(launches tracker) - launches - storm)) 0
expect "a person starts it all the same" sh -c 'binnacle start org.example.tracker; true'
wait_for 5 "it was started" was_launched tracker $((launches + storm + 1))
stop_daemon
