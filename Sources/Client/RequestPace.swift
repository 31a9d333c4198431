public import BinnacleBasics

/// Limits the rate of messages to the daemon, which disconnects clients that send too many per second.
///
/// A burst passes at once, further messages one by one. Even a daemon that is blocked for half a second and then reads
/// all messages at once gets fewer messages per second than its limit.
public struct RequestPace: Equatable, Sendable {
  /// The number of messages that pass at once after a pause.
  public static let burstCount = 64
  /// The interval per message at a steady rate.
  public static let interval = Interval.milliseconds(10)

  private static let tolerance = interval * Int64(burstCount - 1)

  /// The time at which all messages so far would be sent at one message per interval.
  private var free: Instant?

  public init() {}

  /// The time at which the next message may be sent; the time may be in the past.
  public var nextAllowed: Instant? { free.map { $0 - RequestPace.tolerance } }

  public func allows(at now: Instant) -> Bool {
    nextAllowed.map { $0 <= now } ?? true
  }

  /// Messages that wait to be sent.
  public enum Waiting: Equatable, Sendable {
    case nothing
    /// Orders of iterators.
    case orders
    /// Encoded packets; with `untilRead` the socket is full until the daemon reads.
    case packets(untilRead: Bool)
  }

  /// The time at which a waiting message may be sent, not before `now`; nil if no waiting time applies.
  public func nextTurn(of waiting: Waiting, at now: Instant) -> Instant? {
    switch waiting {
    case .nothing, .packets(untilRead: true): nil
    case .orders, .packets(untilRead: false): max(now, nextAllowed ?? now)
    }
  }

  public mutating func sent(at now: Instant) {
    free = max(free ?? now, now) + RequestPace.interval
  }
}
