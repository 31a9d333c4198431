# The daemon finds a receiver with factory settings on a serial line and configures it. A client gets the positions.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 20 "the client has its first position" has_fixes app 1
more_fixes 20 app 10
stop_watch app
stop_daemon
