import BinnacleModel
import BinnacleWire

/// The clients that get each further line of the log, with the lines that each of them has.
struct LogFollowers {
  private struct Follower {
    let client: ClientID
    let request: UInt32
    let level: LogLevel
    /// The number of lines since the daemon's start that the client has.
    var lineCount: Int
  }

  private var followers: [Follower] = []

  var isEmpty: Bool { followers.isEmpty }

  /// Removes a client that has disconnected.
  mutating func remove(_ client: ClientID) { followers.removeAll { $0.client == client } }

  /// Adds a client that has all present lines.
  ///
  /// A client follows the log once: its later request replaces the earlier one.
  mutating func add(_ client: ClientID, request: UInt32, level: LogLevel, to log: LogRing) {
    remove(client)
    followers.append(
      Follower(client: client, request: request, level: level, lineCount: log.count))
  }

  /// The rows of the lines that the clients do not have yet; the clients have them after the call.
  ///
  /// - Returns: for each client with new lines its request and the rows.
  mutating func takeRows(
    of log: LogRing
  ) -> [(client: ClientID, request: UInt32, rows: [Report])] {
    guard followers.contains(where: { $0.lineCount != log.count }) else { return [] }
    return followers.indices.compactMap { index in
      let follower = followers[index]
      followers[index].lineCount = log.count
      let rows = log.rows(from: follower.lineCount, upTo: follower.level)
      return rows.isEmpty ? nil : (follower.client, follower.request, rows)
    }
  }
}
