import BinnacleModel

/// Outstanding updates.
extension UpdateTable {
  /// The recorded rest of an earlier run was read.
  mutating func restAdopted() { pauseTurns &+= 1 }

  /// The open sequences of an app stay open and are no longer outstanding.
  mutating func forgetOutstanding(of app: AppID) {
    pauseTurns &+= 1
    for client in clients.indices where clients[client].peer.app == app {
      for index in clients[client].sequences.indices {
        clients[client].sequences[index].isOutstanding = false
      }
    }
  }

  /// Open sequences stay open and are no longer outstanding.
  mutating func forgetOutstanding() {
    pauseTurns &+= 1
    for client in clients.indices {
      for index in clients[client].sequences.indices {
        clients[client].sequences[index].isOutstanding = false
      }
    }
  }
}
