# After a power cut in a pause the app is told of the rest again, once, after its dwell, and the receiver sleeps again.
# bench: disk=32M

disk_mounted /var/lib/binnacle
start_receiver --path still
device_for dialout /dev/ttyS0
start_restful_daemon
start_watch app
wait_for 20 "the first position" has_fixes app 1
expect_equal "pauses so far" "$(pauses app)" 0
dwell 8
expect_equal "pauses before the dwell is over" "$(pauses app)" 0
dwell 14
expect_equal "pauses" "$(pauses app)" 1
expect_equal "the receiver" "$(power_value state)" asleep
if [ "$BENCH_BOOT" -lt 2 ]; then power_cut; fi
stop_watch app
stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
