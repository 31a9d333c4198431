import CoreLocation

/// Why the program ends.
enum Ending: Sendable {
  /// Ctrl-C, or `kill`.
  case interrupted
  case timeOver

  /// Waits for a signal or for the end of the time, whichever comes first.
  static func first(afterSeconds seconds: Double) async -> Ending {
    let endings = AsyncStream<Ending> { continuation in
      for number in [SIGINT, SIGTERM] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler {
          continuation.yield(.interrupted)
          // Its own handler keeps the source alive.
          withExtendedLifetime(source) {}
        }
        source.resume()
      }
      if seconds.isFinite {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
          continuation.yield(.timeOver)
        }
      }
    }
    for await ending in endings { return ending }
    return .interrupted
  }
}
