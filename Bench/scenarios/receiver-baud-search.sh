# A receiver was left at another speed, so it sends garbage at the first speed that the daemon tries. The daemon finds the receiver's
# own speed.

start_receiver --baud 57600
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 60 "the client has its first position" has_fixes app 1
more_fixes 20 app 5
expect "the daemon has counted more than 100 damaged bytes" test "$(status_value damage.bytes)" -gt 100
expect "the daemon found the receiver at its speed" daemon_said "at 57600 baud"
