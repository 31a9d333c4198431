/// A moment on the monotonic clock that counts suspend, in nanoseconds since the board started.
///
/// The engine reads no clock: every event carries the instant at which it was seen.
public struct Instant: Hashable, Comparable, Codable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The start of the clock.
  public static let zero = Instant(nanoseconds: 0)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public static func + (left: Instant, right: Interval) -> Instant {
    Instant(nanoseconds: left.nanoseconds &+ right.nanoseconds)
  }

  public static func - (left: Instant, right: Interval) -> Instant {
    Instant(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }

  public static func - (left: Instant, right: Instant) -> Interval {
    Interval(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }

  public static func += (left: inout Instant, right: Interval) {
    left = left + right
  }
}

/// The earlier of two instants of which either may be missing.
public func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left else { return right }
  guard let right else { return left }
  return min(left, right)
}
