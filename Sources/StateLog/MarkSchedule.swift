import BinnacleBasics

/// When the number of the last commit is written to the mark.
///
/// Written after each commit it would double what commits cost on a partition, where each flush of the log flushes the mark's page,
/// too, and cost a quarter more in a file. It is written when no commit has come for a while, and once in ten minutes while
/// commits come.
struct MarkSchedule: Equatable, Sendable {
  /// The time without a commit after which the mark is written.
  static let idleTime = Interval.seconds(30)
  /// How long the mark may lag behind commits that go on.
  static let lagMax = Interval.seconds(600)

  /// The last commit, which the mark does not name; nil when it does.
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

  /// The mark names the last commit now.
  mutating func written() { sequence = nil }
}
