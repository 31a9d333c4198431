import BinnacleBasics
import BinnaclePosix

/// Returns memory to the system after the start, and after clients have disconnected.
///
/// The start needs more memory and more of the stack than serving. The allocator keeps freed memory for the program, so
/// a daemon that once had many clients would stay large.
struct MemoryTrim {
  /// The time between the start and the first trim; the receiver is usually set up by then.
  static let startTime = Interval.seconds(8)
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
  ///   - start: the instant of the start.
  ///   - unusedBytes: the unused memory of the allocator, in bytes.
  ///   - trim: returns unused memory to the system.
  init(
    startedAt start: Instant,
    unusedBytes: @escaping @Sendable () -> Int = { Memory.unusedBytes },
    trim: @escaping @Sendable () -> Void = { Memory.trim() }
  ) {
    nextDeadline = start + MemoryTrim.startTime
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
