import BinnacleModel

/// The clients that get the phase of their app at each change.
struct PhaseWatch: Equatable, Codable, Sendable {
  private var watchers: [Watcher] = []

  private struct Watcher: Equatable, Codable, Sendable {
    let client: ClientID
    var sent: AppPhase?
  }

  var isEmpty: Bool { watchers.isEmpty }

  mutating func watched(by client: ClientID) {
    if !watchers.contains(where: { $0.client == client }) {
      watchers.append(Watcher(client: client, sent: nil))
    }
  }

  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0.client == client }
  }

  /// The clients whose phase has changed, with the new phase; the phase counts as sent after the call.
  mutating func takeChanges(_ phase: (ClientID) -> AppPhase?) -> [(ClientID, AppPhase)] {
    var changes: [(ClientID, AppPhase)] = []
    for index in watchers.indices {
      guard let new = phase(watchers[index].client), new != watchers[index].sent else { continue }
      watchers[index].sent = new
      changes.append((watchers[index].client, new))
    }
    return changes
  }
}
