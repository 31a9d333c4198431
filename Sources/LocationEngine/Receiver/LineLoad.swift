import BinnacleBasics

/// Whether bytes come as fast as the line can carry them.
///
/// A receiver whose output exceeds its line's capacity keeps its transmit buffer full, and each answer waits
/// behind the buffer's contents.
struct LineLoad: Equatable, Codable, Sendable {
  private(set) var isFull = false
  private var windowStart: Instant
  private var windowBytes = 0

  /// Long enough that one epoch or one late read changes the result by less than a tenth.
  private static let window = Interval.seconds(5)
  /// On a full line one read more or less may be counted.
  ///
  /// A rate far above 100 % shows that the set speed is not the actual pace.
  private static let fullPercent: ClosedRange<Int64> = 90...110
  private static let bitsPerByte: Int64 = 10

  init(at now: Instant) {
    windowStart = now
  }

  mutating func bytesRead(_ count: Int, speed: Int, at now: Instant) {
    windowBytes += count
    let elapsed = now - windowStart
    guard elapsed >= LineLoad.window else { return }
    let capacity = max(1, elapsed.nanoseconds / 1_000 * Int64(speed) / 1_000_000)
    isFull = LineLoad.fullPercent.contains(
      Int64(windowBytes) * LineLoad.bitsPerByte * 100 / capacity)
    windowStart = now
    windowBytes = 0
  }
}
