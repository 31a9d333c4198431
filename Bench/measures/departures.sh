# How soon the first update comes when a board sets out: rest-departures with figures that are worth a percentile.
# bench: limit=600

departures 20
