# The indicator is an LED of the kernel (Class=). It is lit before an app's first background location, and it stays lit while the daemon
# is dead. An app in the background gets no location while the LED is absent or the daemon may not write it. This kernel has the class of
# LEDs but no driver of an LED: files with the driver's names and texts are mounted over the class.
# bench: limit=150

leds=/run/leds
led=$leds/lamp
led_permitted() { chgrp gpio $led/brightness && chmod 664 $led/brightness; }
# kernel_led_is 0|1: whether the LED has this brightness.
kernel_led_is() { [ "$(cat $led/brightness)" = "$1" ]; }

mkdir -p $led
echo 0 >$led/brightness
echo 1 >$led/max_brightness
chmod 644 $led/*
expect "the files are mounted over the kernel's class of LEDs" mount --bind $leds /sys/class/leds
getent group gpio >/dev/null || systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
"$BENCH_TOOLS/line-log" "$lamp_log" LAMP "$led/brightness" &
cat >/run/panel.conf <<END
[Indicator]
Class=lamp
END
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_panel
expect "a person allows the app" binnacle allow org.example.tracker
start_app tracker --background
in_front tracker
more_fixes 60 tracker 2
sent_away tracker

# without_light PATTERN: "binnacle why" has this reason, the app's update has a flag, and the app gets no location.
without_light() {
  wait_for 20 "'binnacle why' reports the fault of the LED" reason_says tracker light "$1"
  say "$(reason_of tracker light)"
  wait_for 5 "the app's update has the flag insufficientlyInUse" last_says tracker insufficientlyInUse
  failed=$(last_location tracker)
  dwell 12
  expect_equal "locations without a working LED" "$(locations_between tracker "$failed" '')" 0
}

without_light 'group gpio'
led_permitted
more_fixes 60 tracker 3
expect "the LED was lit before the app's first background location" lit_before_locations tracker "$failed"
expect "the LED is lit" kernel_led_is 1
expect "the status report has the level of the LED" status_is indicator.read_back on

starts=$(daemon_starts)
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
more_fixes 5 tracker 1
death=$(last_location tracker)
kill -KILL "$(daemon_pid)"
expect "the LED is lit after the kill of the daemon" kernel_led_is 1
wait_for 20 "the daemon is started again" is_started_again
more_fixes 60 tracker 5
expect_not "the LED was dark while the daemon was dead" lamp_has_changed 0 "$death"
expect "the app is in the background" app_is tracker state background

mv $led $leds/unplugged
without_light 'gone\|no such LED'
mv $leds/unplugged $led
more_fixes 60 tracker 3
expect_not "the app's update loop continues without an error" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
wait_for 5 "the LED is dark after the end of the app" kernel_led_is 0
stop_daemon
