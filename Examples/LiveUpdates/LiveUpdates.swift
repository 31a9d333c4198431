import CoreLocation

/// Shows live updates until it is interrupted or the time that it was given is over.
///
///     LiveUpdates [--seconds N]
///
/// It ends with 0, or with 1 when the time was over and no location had come.
@main
struct LiveUpdates {
  @MainActor
  static func main() async {
    guard let seconds = secondsToRun() else {
      Terminal.complain("usage: LiveUpdates [--seconds N]")
      exit(64)
    }
    let handler = LocationsHandler.shared
    handler.startLocationUpdates()
    let ending = await Ending.first(afterSeconds: seconds)
    handler.stopLocationUpdates()
    let count = handler.count
    Terminal.say("\(count) \(count == 1 ? "location" : "locations") in all")
    exit(ending == .timeOver && count == 0 ? 1 : 0)
  }

  /// What `--seconds` says; infinity when it is not given, nil when the words make no sense.
  private static func secondsToRun() -> Double? {
    let words = CommandLine.arguments.dropFirst()
    if words.isEmpty { return .infinity }
    guard words.count == 2, words.first == "--seconds", let text = words.last,
      let seconds = Double(text), seconds > 0
    else { return nil }
    return seconds
  }
}
