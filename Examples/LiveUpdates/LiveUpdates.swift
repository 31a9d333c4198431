import AppRuntime
import CoreLocation

/// Shows live updates until it is interrupted or the time that it was given is over.
///
///     LiveUpdates [--resume] [--seconds N]
///
/// With `--resume`, for who starts it when the board starts, it takes updates up that a kill or a power cut has ended, and ends
/// at once when there are none. It ends with 0, or with 1 when the time was over and no location had come.
@main
struct LiveUpdates {
  @MainActor
  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    let mustResume = words.first == "--resume"
    if mustResume { words.removeFirst() }
    guard let seconds = secondsToRun(words) else {
      Terminal.complain("usage: LiveUpdates [--resume] [--seconds N]")
      exit(64)
    }
    let handler = LocationsHandler.shared
    if mustResume, !handler.updatesStarted {
      Terminal.say("no location updates to take up")
      exit(0)
    }
    let endings = Ending.endings(afterSeconds: seconds)
    handler.startLocationUpdates()
    var ending = Ending.interrupted
    for await first in endings {
      ending = first
      break
    }
    handler.stopLocationUpdates()
    do {
      try await DeviceDefaults.standard.flush(within: 5)
    } catch {
      Terminal.complain("not kept that updates are stopped: \(error.localizedDescription)")
    }
    let count = handler.count
    Terminal.say("\(count) \(count == 1 ? "location" : "locations") in all")
    exit(ending == .timeOver && count == 0 ? 1 : 0)
  }

  /// The value of `--seconds`; infinity without the option, nil for a wrong value.
  private static func secondsToRun(_ words: ArraySlice<String>) -> Double? {
    if words.isEmpty { return .infinity }
    guard words.count == 2, words.first == "--seconds", let text = words.last,
      let seconds = Double(text), seconds > 0
    else { return nil }
    return seconds
  }
}
