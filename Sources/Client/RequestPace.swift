public import BinnacleBasics

/// When the next message may go to the daemon, which drops clients that send too many in a second.
///
/// A burst passes at once, what comes after it one by one. Even a daemon that slept for half a second and then
/// reads everything at once sees fewer messages in its second than it takes.
public struct RequestPace: Equatable, Sendable {
  /// Messages that pass without a wait after a rest.
  public static let burstCount = 64
  /// One message per this time passes in the long run.
  public static let interval = Interval.milliseconds(10)

  private static let tolerance = interval * Int64(burstCount - 1)

  /// When the line would be free if every message took its interval.
  private var free: Instant?

  public init() {}

  /// When the next message may go; it may be in the past.
  public var nextAllowed: Instant? { free.map { $0 - RequestPace.tolerance } }

  public func allows(at now: Instant) -> Bool {
    nextAllowed.map { $0 <= now } ?? true
  }

  /// What has not gone to the daemon.
  public enum Waiting: Equatable, Sendable {
    case nothing
    /// What iterators have asked for.
    case orders
    /// Messages that are made; `untilRead` when the daemon has to read before one more fits.
    case packets(untilRead: Bool)
  }

  /// When what waits may go, at once if its turn has come already; nil when no time has to pass for it.
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
