"""Adds the time to each line of Examples/DelegateUpdates on standard input. A location becomes an object with the keys of LiveUpdates.

The time is that after the line was read, so the app received the location before it.
"""

import re
import sys
import time

for line in sys.stdin:
    received = time.monotonic_ns()
    place = re.fullmatch(r"at (\S+), (\S+)\n", line)
    if place:
        line = '{"latitude":%s,"longitude":%s,"received_monotonic_ns":%d}\n' % (*place.groups(), received)
    else:
        line = "%d %s" % (received, line)
    sys.stdout.write(line)
    sys.stdout.flush()
