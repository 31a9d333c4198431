# A board that sets out while its updates pause: how soon the first update comes, from a receiver that is awake and from one that
# sleeps, by an accelerometer that is read and by one whose interrupt line tells of movement. "make perf-departures" counts more.
# bench: limit=240

departures 5
