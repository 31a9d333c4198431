// Prints two times for every update with a location, from which Perf/serving.py and Perf/crowd.py compute the latency: the
// time of the update's epoch (milliseconds since 1970), and the instant at which the program got the update (nanoseconds
// of CLOCK_MONOTONIC).
//   latency-probe                      one sequence, until the program is ended
//   latency-probe SEQUENCES SECONDS    sequences for a drive, for this time; a third number names the sequence
//
// The second form prints its lines at the end: 64 of these programs share the processors of the daemon, and text that is
// made for each update would count as latency of the updates behind it.

import CoreLocation
import Glibc

struct Arrival: Sendable {
  var epochMilliseconds: Int64
  var monotonicNanoseconds: Int64

  init?(_ update: CLLocationUpdate) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    guard let location = update.location else { return nil }
    epochMilliseconds = Int64((location.timestamp.timeIntervalSince1970 * 1000).rounded())
    monotonicNanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

func arrivals(of updates: CLLocationUpdate.Updates) async throws -> [Arrival] {
  var arrivals: [Arrival] = []
  for try await update in updates {
    if let arrival = Arrival(update) { arrivals.append(arrival) }
  }
  return arrivals
}

// An orderly end, at which an instrumented build writes its counts.
signal(SIGTERM) { _ in exit(0) }

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
if numbers.count == 2, let seconds = numbers.last {
  let loops = (0..<Int(numbers[0])).map { _ in
    Task.detached { try await arrivals(of: CLLocationUpdate.liveUpdates(.automotiveNavigation)) }
  }
  try await Task.sleep(for: .seconds(seconds))
  for loop in loops { loop.cancel() }
  for (sequence, loop) in loops.enumerated() {
    for arrival in try await loop.value {
      print(arrival.epochMilliseconds, arrival.monotonicNanoseconds, sequence)
    }
  }
  exit(0)
}
for try await update in CLLocationUpdate.liveUpdates() {
  guard let arrival = Arrival(update) else { continue }
  print(arrival.epochMilliseconds, arrival.monotonicNanoseconds)
  fflush(nil)
}
