import BinnacleBasics
import BinnacleWire

/// Costly requests of clients: each user's are performed at that user's pace, and wait until their turn comes.
struct RequestQueue {
  private var pace = CostlyRequestPace()
  /// Clients that hold a request, in the order in which they began to wait.
  private var waiting: [Client] = []
  /// Requests that had to wait for their turn.
  private(set) var delayedCount = 0

  /// When the next turn comes; nil when no request waits.
  var nextTurn: Instant? {
    var earliest: Instant?
    for client in waiting {
      guard let cost = client.heldRequest?.cost else { continue }
      earliest = earlier(earliest, pace.turn(of: cost, of: client.peer.userID))
    }
    return earliest
  }

  /// Whether a request may be performed now; a costly request is charged to its user.
  mutating func isTurn(
    of request: ServerConnectionMachine.Request, of client: Client, at now: Instant
  ) -> Bool {
    guard let cost = request.cost else { return true }
    return pace.admits(cost, of: client.peer.userID, at: now)
  }

  /// Has a client wait with its request; its socket is not read meanwhile.
  mutating func hold(_ request: ServerConnectionMachine.Request, of client: Client) {
    client.heldRequest = request
    waiting.append(client)
    delayedCount += 1
  }

  /// Forgets the waiting request of a client.
  mutating func release(_ client: Client) {
    client.heldRequest = nil
    waiting.removeAll { $0 === client }
  }

  /// The first request whose turn has come; its client waits no longer.
  mutating func next(at now: Instant) -> (Client, ServerConnectionMachine.Request)? {
    for client in waiting {
      guard let request = client.heldRequest, isTurn(of: request, of: client, at: now) else {
        continue
      }
      release(client)
      return (client, request)
    }
    return nil
  }
}
