import BinnacleBasics
import BinnaclePosix

/// Returns memory to the system after clients have gone.
///
/// The allocator keeps freed memory for the program, so a daemon that once had many clients would stay large.
struct MemoryTrim {
  /// The time between the departure of clients and the trim: more of them may go, and others come.
  static let restTime = Interval.seconds(20)
  /// Unused memory that may stay, in bytes.
  static let unusedMax = 1 << 20

  /// When memory is returned; nil when there is little of it.
  private(set) var nextDeadline: Instant?
  private var departedCount = 0
  private let unusedBytes: @Sendable () -> Int
  private let trim: @Sendable () -> Void

  /// - Parameters:
  ///   - unusedBytes: the unused memory of the allocator, in bytes.
  ///   - trim: returns it to the system.
  init(
    unusedBytes: @escaping @Sendable () -> Int = { Memory.unusedBytes },
    trim: @escaping @Sendable () -> Void = { Memory.trim() }
  ) {
    self.unusedBytes = unusedBytes
    self.trim = trim
  }

  /// Checks the memory after clients have gone.
  ///
  /// - Parameters:
  ///   - departedCount: how many clients have gone since the start.
  ///   - now: the time.
  mutating func turned(departedCount: Int, at now: Instant) {
    if let due = nextDeadline {
      guard due <= now else { return }
      nextDeadline = nil
      trim()
    } else if departedCount != self.departedCount {
      self.departedCount = departedCount
      guard unusedBytes() > MemoryTrim.unusedMax else { return }
      nextDeadline = now + MemoryTrim.restTime
    }
  }
}
