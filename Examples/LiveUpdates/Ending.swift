import CoreLocation

/// Why the program ends.
enum Ending: Sendable {
  /// Ctrl-C, or `kill`.
  case interrupted
  case timeOver

  /// A signal and the end of the time, as they come; from this call on no signal ends the process.
  static func endings(afterSeconds seconds: Double) -> AsyncStream<Ending> {
    AsyncStream { continuation in
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
  }
}
