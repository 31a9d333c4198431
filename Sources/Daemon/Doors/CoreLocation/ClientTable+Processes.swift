import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The processes of clients, which have the right to locations, and the terminals of apps without a manifest.
///
/// An app without a manifest is in the foreground while one of its processes has a controlling terminal. The kernel does
/// not report that a process has lost its terminal, for example after `nohup`, or that a process has passed its
/// connection on, and a timer would wake the daemon. The door therefore checks both before it sends an update, and when it gets a request.
extension ClientTable {
  /// Disconnects a client whose process has ended while another process uses the connection.
  ///
  /// - Parameters:
  ///   - client: a client that gets an update, or that makes a request.
  ///   - now: the instant.
  ///   - outcomes: gets the end of the connection.
  /// - Returns: whether the client stays connected.
  func keepsProcess(_ client: Client, at now: Instant, into outcomes: inout [Outcome]) -> Bool {
    guard client.isOfEndedProcess else { return true }
    drop(
      client, .notPermitted,
      "its process has ended, and another process uses the connection; connect again",
      at: now, into: &outcomes)
    return false
  }

  /// Reads the terminals of the processes of a client's app again, and passes each lost terminal on as an event.
  ///
  /// - Parameters:
  ///   - client: the client that gets an update, or that makes a request.
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
    for other in clients
    where other.peer.hasTerminal && other.peer.app == app && !other.peer.isOperator {
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
