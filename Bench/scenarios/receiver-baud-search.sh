# A receiver that was left at another speed is heard as garbage at the first one tried, and found at its own.

start_receiver --baud 57600
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 60 "the first position" has_fixes app 1
more_fixes 20 app 5
expect "garbage was heard on the way" test "$(status_value damage.bytes)" -gt 100
expect "the receiver was found at its speed" daemon_said "at 57600 baud"
