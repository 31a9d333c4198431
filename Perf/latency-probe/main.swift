// Prints two times for every update with a location, from which Perf/serving.py computes the latency: the time of the
// update's epoch (milliseconds since 1970), and the instant at which the program got the update (nanoseconds of
// CLOCK_MONOTONIC).

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
