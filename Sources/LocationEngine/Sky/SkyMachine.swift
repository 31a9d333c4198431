import BinnacleBasics
import BinnacleModel

/// The clients that want to know the satellites in view, and when the receiver is asked for them.
///
///     no client --request, watch--> wanted --epoch, and the time since the last poll is over--> asked
///     asked --sky--> wanted, each request answered --no client is left--> nothing is asked
///     asked --no sky for 4 s--> the request is answered with the reason
struct SkyMachine: Equatable, Codable, Sendable {
  private(set) var requests: [Request] = []
  /// Clients that get every new sky.
  private(set) var watchers: [ClientID] = []
  /// The newest sky, while clients want skies or a moment after.
  private var last: Last?
  private var askedAt: Instant?
  /// When the newest epoch came, as far as it was looked at.
  private var epochAt: Instant?
  private var epochCount = 0

  struct Request: Equatable, Codable, Sendable {
    let client: ClientID
    let number: UInt32
    /// When the client is told that there is no answer.
    let until: Instant
  }

  private struct Last: Equatable, Codable, Sendable {
    var sky: Sky
    var at: Instant
  }

  /// How long a request waits.
  static let requestTimeMax = Interval.seconds(4)
  /// A poll that a request waits for is repeated so soon.
  private static let retryAfter = Interval.seconds(2)
  /// Without an epoch for so long nothing is gained by waiting for the end of one.
  private static let epochPatience = Interval.milliseconds(1_200)
  /// How much sooner than after a whole second an epoch may be read.
  private static let epochEarliness = Interval.milliseconds(100)
  /// More requests than all clients may make in the time that one waits.
  static let requestsMax = 1_024

  // MARK: Clients

  mutating func requested(_ number: UInt32, by client: ClientID, at now: Instant) {
    requests.append(
      Request(client: client, number: number, until: now + SkyMachine.requestTimeMax))
  }

  mutating func watched(_ isWatching: Bool, by client: ClientID) {
    watchers.removeAll { $0 == client }
    if isWatching { watchers.append(client) }
  }

  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0 == client }
    requests.removeAll { $0.client == client }
  }

  /// Takes the requests that are over, or all of them.
  mutating func takeRequests(over now: Instant? = nil) -> [Request] {
    guard let now else {
      defer { requests = [] }
      return requests
    }
    let over = requests.filter { $0.until <= now }
    if !over.isEmpty { requests.removeAll { $0.until <= now } }
    return over
  }

  // MARK: The receiver

  /// The receiver has told a sky.
  mutating func arrived(_ sky: Sky, at now: Instant) { last = Last(sky: sky, at: now) }

  /// A sky that is no older than the time between two polls.
  func fresh(_ period: Interval, at now: Instant) -> Sky? {
    last.flatMap { now - $0.at < period ? $0.sky : nil }
  }

  /// The receiver is not asked now: epochs are not followed.
  mutating func rested() { epochAt = nil }

  /// Notes how many epochs the receiver has told, and answers whether a poll is due.
  mutating func isPollDue(
    _ period: Interval, epochCount: Int, at now: Instant
  ) -> Bool {
    let isEpoch = epochAt != nil && epochCount != self.epochCount
    self.epochCount = epochCount
    if isEpoch || epochAt == nil { epochAt = now }
    guard dueAt(period) <= now else { return false }
    return isEpoch || (epochAt ?? now) + SkyMachine.epochPatience <= now
  }

  mutating func asked(at now: Instant) { askedAt = now }

  private func dueAt(_ period: Interval) -> Instant {
    guard let askedAt else { return .zero }
    let wait = requests.isEmpty ? period : min(period, SkyMachine.retryAfter)
    return askedAt + wait - SkyMachine.epochEarliness
  }

  /// When a poll is due although no epoch comes, while the receiver answers polls.
  func pollDeadline(_ period: Interval) -> Instant {
    max(dueAt(period), (epochAt ?? .zero) + SkyMachine.epochPatience)
  }

  /// When the next request is over.
  var requestDeadline: Instant? { requests.reduce(nil) { earlier($0, $1.until) } }
}
