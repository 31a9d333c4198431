# The disk writes of an hour of paused updates, with tracks kept and a program that still follows; and of a change to an
# equal value. The controls write.
# bench: disk=64M limit=600

settling=60
file_system defaults
umount /data
state=/var/lib/binnacle
mkdir -p "$state"
mount -t ext4 "$disk" "$state"
gpio_chip pinctrl-bench BUTTON INT
getent group gpio >/dev/null || groupadd --system gpio
device_for gpio "/dev/$(gpio_device pinctrl-bench)"
accelerometers lis3dh=0x18
accelerometer_profile
printf '[Track]\nTrack=full\n' >>/run/bench.conf
receiver_in_memory --path still
start_daemon_with_accelerometer --receiver "$receiver_tty"

start_watch app
has_paused() { text_in "$said/app" '"stationary": *true'; }
wait_for 400 "updates pause" has_paused
fixes=$(fixes app)
expect "there were some" [ "$fixes" -gt 60 ]
# Waiting records are written within ten minutes.
dwell 700
# The flush is that of the "sync" with which the measurement ends.
cost "an hour of pause: program, tracks, receiver, accelerometer" "$disk" 1 dwell 3600
at_most 0 1
expect_equal "positions" "$(fixes app)" "$fixes"

# They wait as long as the disk takes, during which time travels.
switch() { promises_app set services off; }
cost "control: the switch thrown" "$disk" 1 switch
expect_not "that costs nothing" is_within 0 1000
cost "the switch thrown to where it is" "$disk" 1 switch
at_most 0 1
default() { promises_app set key.1 7; }
cost "control: a default set" "$disk" 1 default
expect_not "that costs nothing" is_within 0 1000
cost "a default set to the same" "$disk" 1 default
at_most 0 1
