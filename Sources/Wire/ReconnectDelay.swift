import BinnacleBasics

/// The delays of a client between its attempts to connect.
///
/// Each delay is twice as long as the one before. For the first ``briskCount`` attempts the delay is at most ``briskMax``: the
/// service manager starts a failed daemon after 2 s, and a location for an app in the background needs the app's connection.
struct ReconnectDelay: Equatable, Sendable {
  /// The first delay.
  static let min = Interval.milliseconds(100)
  /// The longest delay of the first attempts.
  static let briskMax = Interval.seconds(1)
  /// The number of attempts with at most ``briskMax``.
  static let briskCount = 20
  /// The longest delay.
  static let max = Interval.seconds(5)

  private var delay = ReconnectDelay.min
  private var count = 0

  /// The next delay is the first one again.
  mutating func reset() { self = ReconnectDelay() }

  /// The next delay is the longest one.
  mutating func lengthen() {
    delay = ReconnectDelay.max
    count = ReconnectDelay.briskCount
  }

  /// Takes the next delay.
  ///
  /// - Parameter random: chooses a part of the second half of the delay, so that the apps of a board do not connect at the same instant.
  /// - Returns: the delay from now.
  mutating func next(using random: inout Random) -> Interval {
    let half = delay / 2
    let jitter = Interval(nanoseconds: Int64(Double(half.nanoseconds) * random.unit()))
    count += 1
    let limit = count < ReconnectDelay.briskCount ? ReconnectDelay.briskMax : ReconnectDelay.max
    delay = Swift.min(delay * 2, limit)
    return half + jitter
  }
}
