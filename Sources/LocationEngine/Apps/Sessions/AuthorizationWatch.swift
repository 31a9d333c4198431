import BinnacleModel

/// The clients that get the authorization of their app at each change.
struct AuthorizationWatch: Equatable, Codable, Sendable {
  private var watchers: [Watcher] = []

  private struct Watcher: Equatable, Codable, Sendable {
    let client: ClientID
    var sent: AuthorizationState?
  }

  mutating func watched(by client: ClientID) {
    if !watchers.contains(where: { $0.client == client }) {
      watchers.append(Watcher(client: client, sent: nil))
    }
  }

  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0.client == client }
  }

  /// The clients whose state has changed, with the new state; the state counts as sent after the call.
  mutating func takeChanges(
    _ state: (ClientID) -> AuthorizationState?
  ) -> [(ClientID, AuthorizationState)] {
    var changes: [(ClientID, AuthorizationState)] = []
    for index in watchers.indices {
      guard let new = state(watchers[index].client), new != watchers[index].sent else { continue }
      watchers[index].sent = new
      changes.append((watchers[index].client, new))
    }
    return changes
  }
}
