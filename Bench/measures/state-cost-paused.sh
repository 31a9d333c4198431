# The disk writes of an hour of paused updates, with stored tracks and a client that follows the location, and of a change to an equal
# value. Neither writes a byte. The controls are changes to other values, which write to the disk.
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
expect "the client got more than 60 positions before the pause" [ "$fixes" -gt 60 ]
# The daemon writes waiting records within ten minutes.
dwell 700
# The one flush comes from the "sync" at the end of the measurement.
cost "an hour of pause: program, tracks, receiver, accelerometer" "$disk" 1 dwell 3600
at_most 0 1
expect_equal "positions of the client, unchanged during the pause" "$(fixes app)" "$fixes"

# The commands below wait for the disk. The guest's time jumps ahead during this wait.
switch() { promises_app set services off; }
cost "control: location services turned off" "$disk" 1 switch
expect_not "the control writes to the disk" is_within 0 1000
cost "location services turned off when they are off" "$disk" 1 switch
at_most 0 1
default() { promises_app set key.1 7; }
cost "control: a default set to a new value" "$disk" 1 default
expect_not "the control writes to the disk" is_within 0 1000
cost "a default set to its present value" "$disk" 1 default
at_most 0 1
