import BinnacleModel

/// The operators' clients that get the open requests of apps at each change.
struct PromptWatch: Equatable, Codable, Sendable {
  private var watchers: [Watcher] = []

  private struct Watcher: Equatable, Codable, Sendable {
    let client: ClientID
    var request: UInt32
    var sent: [Report]?
  }

  var isEmpty: Bool { watchers.isEmpty }

  /// A client watches from now on; a later request of a client replaces its earlier one.
  mutating func watched(by client: ClientID, request: UInt32) {
    clientDisconnected(client)
    watchers.append(Watcher(client: client, request: request))
  }

  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0.client == client }
  }

  /// The clients that do not have these rows, with their requests; the rows count as sent after the call.
  mutating func takeChanges(_ rows: [Report]) -> [(client: ClientID, request: UInt32)] {
    var changes: [(ClientID, UInt32)] = []
    for index in watchers.indices where watchers[index].sent != rows {
      watchers[index].sent = rows
      changes.append((watchers[index].client, watchers[index].request))
    }
    return changes
  }
}
