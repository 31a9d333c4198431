# A receiver whose supply dips forgets its setting and starts anew; the daemon notices and sets it up again.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 30 "the first position" has_fixes app 1
more_fixes 20 app 5
for time in 1 2 3; do
  receiver_dips
  wait_for 30 "reset $time is noticed" status_is receiver.resets "$time"
  more_fixes 30 app 3
done
expect "it is set up again" status_is receiver.is_configured yes
expect "nothing else had to be opened" status_is receiver.openings 1
