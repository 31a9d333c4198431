// Prints, for every update with a location, the time of its epoch (milliseconds since 1970) and the instant at
// which the loop turned (nanoseconds of CLOCK_MONOTONIC): what Perf/serving.py measures latency with.

import CoreLocation
import Glibc

for try await update in CLLocationUpdate.liveUpdates() {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  guard let location = update.location else { continue }
  let epoch = Int64((location.timestamp.timeIntervalSince1970 * 1000).rounded())
  print(epoch, Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  fflush(nil)
}
