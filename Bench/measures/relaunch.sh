# The time from the kill of an app in the background to the first location of its next process, with a receiver that is awake. The
# 95th percentile is at most 3 s. The control is an app that needs 3 s for its start.
# bench: time=natural limit=900

panel_chip
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann --background
# The script first notes the time of its start.
script=/usr/lib/tracker/tracker
sed -i "1s|.*|#!/bin/bash|; 2i echo \$EPOCHREALTIME >>$said/tracker.times" $script
: >"$said/tracker.times"
chown ann "$said/tracker.times"
run_allowed_app tracker
measured() {
  local status=0
  : >"$BENCH_OUT/table"
  /usr/bin/python3 "$BENCH_HOME/lib/relaunch.py" "$1" 3000 >"$BENCH_OUT/table" 2>&1 || status=$?
  cat "$BENCH_OUT/table"
  return $status
}
expect "the 95th percentile of the relaunch time is at most 3 s" measured 40
sed -i '3i sleep 3' $script
expect_not "the relaunch time of an app that starts slowly is above 3 s" measured 4
stop_daemon
