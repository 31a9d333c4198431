import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The terminals of apps without a manifest.
///
/// Such an app is in the foreground while one of its processes has a controlling terminal. The kernel does not report
/// that a process has lost its terminal, for example after `nohup`, and a timer would wake the daemon. The door
/// therefore reads the terminals before it sends an update.
extension ClientTable {
  /// Reads the terminals of the processes of a client's app again, and passes each lost terminal on as an event.
  ///
  /// - Parameters:
  ///   - client: the client that gets an update.
  ///   - now: the instant.
  ///   - outcomes: gets the events.
  /// - Returns: whether the app may still get the location that the engine has judged.
  func keepsTerminal(_ client: Client, at now: Instant, into outcomes: inout [Outcome]) -> Bool {
    let app = client.peer.app
    switch app {
    case .listed, .door: return true
    case .unlisted, .unresolved: break
    }
    if client.peer.isOperator { return true }
    var hasTerminal = false
    for other in clients where other.peer.hasTerminal && other.peer.app == app {
      let isLost = other.hasLostTerminal(at: now)
      // The engine gets the peer of a client with the greeting.
      guard other.program != nil else { continue }
      if isLost {
        outcomes.append(.event(.client(other.id, .terminalLost)))
      } else {
        hasTerminal = true
      }
    }
    return hasTerminal
  }
}
