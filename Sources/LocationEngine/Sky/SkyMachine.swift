import BinnacleBasics
import BinnacleModel

/// The clients that want the satellites in view, and the times of polls to the receiver.
///
///     no client --request, watch--> wanted --epoch, and the time since the last poll is over--> asked
///     asked --sky--> wanted, each request answered --no client is left--> no poll
///     asked --no sky for 4 s--> the request is answered with the reason
struct SkyMachine: Equatable, Codable, Sendable {
  private(set) var requests: [Request] = []
  /// Clients that get every new sky.
  private(set) var watchers: [ClientID] = []
  /// The newest sky, while clients want skies and for a short time after.
  private var last: Last?
  private var askedAt: Instant?
  /// When the newest epoch arrived; nil while epochs are not followed.
  private var epochAt: Instant?
  private var epochCount = 0

  struct Request: Equatable, Codable, Sendable {
    let client: ClientID
    let number: UInt32
    /// When the client gets a refusal for lack of an answer.
    let until: Instant
  }

  private struct Last: Equatable, Codable, Sendable {
    var sky: Sky
    var at: Instant
  }

  /// The time limit of a request.
  static let requestTimeMax = Interval.seconds(4)
  /// The time until a poll is repeated while a request waits.
  private static let retryAfter = Interval.seconds(2)
  /// After this time without an epoch, a poll no longer waits for the end of an epoch.
  private static let epochPatience = Interval.milliseconds(1_200)
  /// How much earlier than after a whole second an epoch may be read.
  private static let epochEarliness = Interval.milliseconds(100)
  /// This is more than all clients may request within the time limit of a request.
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

  /// Forgets the newest sky, so that the next request gets a later one.
  mutating func forget() { last = nil }

  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0 == client }
    requests.removeAll { $0.client == client }
  }

  /// Takes the overdue requests, or all requests.
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

  /// The receiver has sent a sky.
  mutating func arrived(_ sky: Sky, at now: Instant) { last = Last(sky: sky, at: now) }

  /// The newest sky if it is not older than the time between two polls.
  func fresh(_ period: Interval, at now: Instant) -> Sky? {
    last.flatMap { now - $0.at < period ? $0.sky : nil }
  }

  /// The receiver is not polled now, so epochs are not followed.
  mutating func rested() { epochAt = nil }

  /// Notes the number of epochs so far, and returns whether a poll is due.
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

  /// When a poll is due even without an epoch, while the receiver answers polls.
  func pollDeadline(_ period: Interval) -> Instant {
    max(dueAt(period), (epochAt ?? .zero) + SkyMachine.epochPatience)
  }

  /// When the next request is overdue.
  var requestDeadline: Instant? { requests.reduce(nil) { earlier($0, $1.until) } }
}
