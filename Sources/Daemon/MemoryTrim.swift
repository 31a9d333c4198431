import BinnacleBasics
import BinnaclePosix

/// Returns memory to the system after clients have disconnected.
///
/// The allocator keeps freed memory for the program, so a daemon that once had many clients would stay large.
struct MemoryTrim {
  /// The time between a client's end and the trim, because more clients may end and others may connect.
  static let restTime = Interval.seconds(20)
  /// The unused memory that the daemon keeps, in bytes.
  static let unusedMax = 1 << 20

  /// When memory is returned; nil if there is little unused memory.
  private(set) var nextDeadline: Instant?
  private var departedCount = 0
  private let unusedBytes: @Sendable () -> Int
  private let trim: @Sendable () -> Void

  /// - Parameters:
  ///   - unusedBytes: the unused memory of the allocator, in bytes.
  ///   - trim: returns unused memory to the system.
  init(
    unusedBytes: @escaping @Sendable () -> Int = { Memory.unusedBytes },
    trim: @escaping @Sendable () -> Void = { Memory.trim() }
  ) {
    self.unusedBytes = unusedBytes
    self.trim = trim
  }

  /// Checks the unused memory after clients have disconnected.
  ///
  /// - Parameters:
  ///   - departedCount: the number of clients that have disconnected since the start.
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
