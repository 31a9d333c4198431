# The delay to the first update when a board departs: rest-departures with enough departures for a 95th percentile.
# bench: limit=600

departures 20
