import AppRuntime
import CoreLocation

/// Shows live updates until it is interrupted or the time that it was given is over.
///
///     LiveUpdates [--resume] [--session] [--background] [--json] [--seconds N]
///
/// With `--session` the app asks for the location, and holds a service session. With `--background` the updates continue while
/// the app is in the background. With `--json` each update is a JSON object in a line, with the time of its arrival in
/// nanoseconds of `CLOCK_MONOTONIC`; all other lines go to standard error. With `--resume`, for a service that starts the app
/// with the board, the app takes up updates that a kill or a power cut has ended, and ends at once if there are none. The exit
/// status is 0, or 1 if the time was over and no location had come.
@main
struct LiveUpdates {
  @MainActor
  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    func takes(_ option: String) -> Bool {
      guard words.first == option else { return false }
      words.removeFirst()
      return true
    }
    let mustResume = takes("--resume")
    let hasSession = takes("--session")
    let isBackground = takes("--background")
    let handler = LocationsHandler.shared
    handler.printsJSON = takes("--json")
    guard let seconds = secondsToRun(words) else {
      Terminal.complain(
        "usage: LiveUpdates [--resume] [--session] [--background] [--json] [--seconds N]")
      exit(64)
    }
    if mustResume, !handler.updatesStarted {
      handler.say("no location updates to take up")
      exit(0)
    }
    let endings = Ending.endings(afterSeconds: seconds)
    if hasSession { handler.needAuthorization() }
    if isBackground || handler.backgroundActivity { handler.backgroundActivity = true }
    handler.startLocationUpdates()
    var ending = Ending.interrupted
    for await first in endings {
      ending = first
      break
    }
    handler.stopLocationUpdates()
    handler.backgroundActivity = false
    do {
      try await DeviceDefaults.standard.flush(within: 5)
    } catch {
      Terminal.complain("not kept that updates are stopped: \(error.localizedDescription)")
    }
    let count = handler.count
    handler.say("\(count) \(count == 1 ? "location" : "locations") in all")
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
