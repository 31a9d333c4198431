import BinnacleBasics

/// Decides when the number of the last commit is written to the mark.
///
/// Writing the mark after each commit would be expensive. On a partition each flush of the log also flushes the mark's
/// page, which doubles the cost of a commit; in a file the additional cost is a quarter. The mark is written after a
/// time without a commit, and once in ten minutes while commits continue.
struct MarkSchedule: Equatable, Sendable {
  /// The time without a commit after which the mark is written.
  static let idleTime = Interval.seconds(30)
  /// The longest time that the mark may be behind while commits continue.
  static let lagMax = Interval.seconds(600)

  /// The last commit that is not in the mark yet; nil if the mark is up to date.
  private(set) var sequence: UInt64?
  private var firstAt = Instant.zero
  private var lastAt = Instant.zero

  var nextDeadline: Instant? {
    sequence == nil
      ? nil : min(lastAt + MarkSchedule.idleTime, firstAt + MarkSchedule.lagMax)
  }

  mutating func committed(_ sequence: UInt64, at now: Instant) {
    if self.sequence == nil { firstAt = now }
    self.sequence = sequence
    lastAt = now
  }

  /// Notes that the mark has the number of the last commit.
  mutating func written() { sequence = nil }
}
