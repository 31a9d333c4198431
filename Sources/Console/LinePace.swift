import BinnacleBasics

/// The pace of a serial line: at most as many bytes on the way as the line carries in an eighth of a second.
///
/// Ctrl-C takes back all bytes that were not handed over yet.
struct LinePace: Equatable {
  /// A byte is ten bits on the line: start bit, eight bits, stop bit.
  private static let bitsPerByte: Int64 = 10
  private static let burstMin = 16

  private let bytesPerSecond: Int64
  /// The most bytes on the way.
  let burst: Int
  /// When all bytes that were handed over have left the line.
  private var emptyAt = Instant.zero

  init(baud: UInt32) {
    bytesPerSecond = max(1, Int64(baud) / LinePace.bitsPerByte)
    burst = max(LinePace.burstMin, Int(bytesPerSecond) / 8)
  }

  /// The number of bytes that the line takes now.
  func room(at now: Instant) -> Int {
    let wait = emptyAt - now
    guard wait > .zero else { return burst }
    let waiting = wait.nanoseconds / 1_000 * bytesPerSecond / 1_000_000
    return max(0, burst - Int(waiting) - 1)
  }

  mutating func sent(_ count: Int, at now: Instant) {
    let time = Interval(nanoseconds: Int64(count) * 1_000_000_000 / bytesPerSecond)
    emptyAt = max(emptyAt, now) + time
  }

  /// When at least half of the room is free again.
  var nextRoom: Instant {
    emptyAt - Interval(nanoseconds: Int64(burst / 2) * 1_000_000_000 / bytesPerSecond)
  }

  /// Takes back what was handed over: the kernel has discarded it.
  mutating func discarded(at now: Instant) { emptyAt = min(emptyAt, now) }
}
