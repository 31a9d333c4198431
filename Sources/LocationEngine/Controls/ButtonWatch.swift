import BinnacleModel

/// The clients that get the presses of buttons with the action `mark` while their apps are in the foreground.
struct ButtonWatch: Equatable, Codable, Sendable {
  private(set) var clients: [ClientID] = []

  mutating func watched(by client: ClientID) {
    if !clients.contains(client) { clients.append(client) }
  }

  mutating func clientDisconnected(_ client: ClientID) {
    clients.removeAll { $0 == client }
  }
}
