# A board departs while its updates are paused. The delay to the first update has a limit in four cases: the receiver is awake or
# sleeps; the daemon reads the accelerometer or waits for its interrupt. "make perf-departures" measures more departures.
# bench: limit=240

departures 5
