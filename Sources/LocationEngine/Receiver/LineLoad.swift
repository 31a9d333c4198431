import BinnacleBasics

/// Whether bytes come as fast as the line can carry them.
///
/// A receiver that is told to send more than its line carries keeps its transmit buffer full, and each answer waits
/// behind what is in the buffer.
struct LineLoad: Equatable, Codable, Sendable {
  private(set) var isFull = false
  private var windowStart: Instant
  private var windowBytes = 0

  /// Long enough that an epoch more or less, or a late read, makes no difference of a tenth.
  private static let window = Interval.seconds(5)
  /// Of a full line one read more or less may be counted; what is far above has another pace than the speed says.
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
