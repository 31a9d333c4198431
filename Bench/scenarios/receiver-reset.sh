# A receiver whose supply fails for a moment restarts without its settings. The daemon notices the reset and configures the receiver
# again.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1
more_fixes 20 app 5
for time in 1 2 3; do
  receiver_dips
  wait_for 30 "the daemon notices reset $time" status_is receiver.resets "$time"
  more_fixes 30 app 3
done
expect "the daemon has configured the receiver" status_is receiver.is_configured yes
expect "the daemon has opened the device only once" status_is receiver.openings 1
