import BinnacleBasics
import BinnacleModel
import BinnacleWire

/// The tokens of consoles.
extension ClientTable {
  /// Ends the token of a console, and the connections that have greeted with the token.
  func lock(_ console: ClientID, at now: Instant, into outcomes: inout [Outcome]) {
    client(console)?.lock()
    for client in clients where client.peer.console == .unlocked(by: console) {
      drop(client, .notPermitted, "this console is locked again", at: now, into: &outcomes)
    }
  }
}
