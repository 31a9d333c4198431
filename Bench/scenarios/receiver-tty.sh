# The daemon finds a receiver as delivered on a serial line, sets it up, and its positions reach a program.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 20 "the first position" has_fixes app 1
more_fixes 20 app 10
stop_watch app
stop_daemon
