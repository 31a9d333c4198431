import BinnacleBasics
import BinnacleWire

/// Costly requests of clients, performed at the rate of each user.
struct RequestQueue {
  private var pace = CostlyRequestPace()
  /// Clients with a waiting request, in the order of their arrival.
  private var waiting: [Client] = []
  /// Requests that had to wait for their turn.
  private(set) var delayedCount = 0

  /// The time of the next turn; nil if no request waits.
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

  /// Holds a client's request; the client's socket is not read meanwhile.
  mutating func hold(_ request: ServerConnectionMachine.Request, of client: Client) {
    client.heldRequest = request
    waiting.append(client)
    delayedCount += 1
  }

  /// Drops the waiting request of a client.
  mutating func release(_ client: Client) {
    client.heldRequest = nil
    waiting.removeAll { $0 === client }
  }

  /// The first request whose turn has come; it is removed from the queue.
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
