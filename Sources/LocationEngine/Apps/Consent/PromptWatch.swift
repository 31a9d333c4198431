import BinnacleModel

/// The clients that get the open requests of apps at each change.
struct PromptWatch: Equatable, Codable, Sendable {
  private var watches: [Watch] = []

  private struct Watch: Equatable, Codable, Sendable {
    let client: ClientID
    var request: UInt32
    var sent: [Report]?
  }

  /// The clients that watch, with the numbers of their requests.
  var watchers: [(client: ClientID, request: UInt32)] { watches.map { ($0.client, $0.request) } }

  /// A client watches from now on; a later request of a client replaces its earlier one.
  mutating func watched(by client: ClientID, request: UInt32) {
    clientDisconnected(client)
    watches.append(Watch(client: client, request: request))
  }

  mutating func clientDisconnected(_ client: ClientID) {
    watches.removeAll { $0.client == client }
  }

  /// Whether a client does not have these rows; the rows count as sent after the call.
  mutating func sends(_ rows: [Report], to client: ClientID) -> Bool {
    guard let index = watches.firstIndex(where: { $0.client == client }),
      watches[index].sent != rows
    else { return false }
    watches[index].sent = rows
    return true
  }
}
