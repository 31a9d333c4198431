/// A length of time in nanoseconds; negative when it points backwards.
public struct Interval: Hashable, Comparable, Codable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static let zero = Interval(nanoseconds: 0)

  public static func seconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: count &* 1_000_000_000)
  }

  public static func milliseconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: count &* 1_000_000)
  }

  public static func microseconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: count &* 1_000)
  }

  /// The same length in seconds, for people and for rates.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (left: Interval, right: Interval) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public static func + (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: left.nanoseconds &+ right.nanoseconds)
  }

  public static func - (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }

  public static func * (left: Interval, right: Int64) -> Interval {
    Interval(nanoseconds: left.nanoseconds &* right)
  }

  public static func / (left: Interval, right: Int64) -> Interval {
    precondition(right != 0, "an interval was divided by zero")
    return Interval(nanoseconds: left.nanoseconds / right)
  }
}
