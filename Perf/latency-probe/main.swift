// Prints two times for every update with a location, from which Perf/serving.py and Perf/crowd.py compute the latency: the
// time of the update's epoch (milliseconds since 1970), and the instant at which the program got the update (nanoseconds
// of CLOCK_MONOTONIC).
//   latency-probe                      one sequence, until the program is ended
//   latency-probe SEQUENCES SECONDS    sequences for a drive, for this time; a third number names the sequence

import CoreLocation
import Glibc

func printTimes(of update: CLLocationUpdate, sequence: Int?) {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  guard let location = update.location else { return }
  let epoch = Int64((location.timestamp.timeIntervalSince1970 * 1000).rounded())
  let instant = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  print(epoch, instant, sequence.map(String.init) ?? "")
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
if numbers.count == 2, let seconds = numbers.last {
  for sequence in 0..<Int(numbers[0]) {
    Task.detached {
      for try await update in CLLocationUpdate.liveUpdates(.automotiveNavigation) {
        printTimes(of: update, sequence: sequence)
      }
    }
  }
  try await Task.sleep(for: .seconds(seconds))
  fflush(nil)
  exit(0)
}
for try await update in CLLocationUpdate.liveUpdates() {
  printTimes(of: update, sequence: nil)
  fflush(nil)
}
