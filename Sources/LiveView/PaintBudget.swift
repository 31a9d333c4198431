public import BinnacleBasics

/// The bytes that a view may print: at most ``bytesPerSecondMax`` in any second, and no more than a slow line carries.
public struct PaintBudget: Equatable, Sendable {
  /// The most bytes in any second.
  public static let bytesPerSecondMax = 2_000
  /// It is better to wait for room for this many bytes than to print fewer.
  public static let bytesAtOnceMin = 80
  /// A line of 9600 baud carries 960 bytes a second; a sixteenth is left free.
  static let usualRate = 900
  /// The most bytes at once; with the rate they are less than ``bytesPerSecondMax``.
  static let usualBurst = 1_000
  /// The most bytes of the first second, so that a whole screen is painted at once; slow lines have ``usualBurst``.
  static let firstSecondMax = 1_900
  /// The painter needs this much for one character and the way to it.
  static let burstMin = 100

  private let bytesPerSecond: Int64
  private let burst: Int64
  /// When the whole burst is free again.
  private var fullAt = Instant.zero
  /// The bytes of the first second that may still be printed; 0 after this second, and on a slow line.
  private var firstRoom: Int
  /// The end of the first second; nil: nothing was printed.
  private var firstEnd: Instant?

  /// - Parameter baud: the speed of the line; nil or 0 if it is unknown.
  public init(baud: UInt32? = nil) {
    let carried = baud.flatMap { $0 > 0 ? Int($0) * 3 / 32 : nil } ?? PaintBudget.usualRate
    let rate = min(max(carried, 1), PaintBudget.usualRate)
    bytesPerSecond = Int64(rate)
    burst = Int64(
      max(PaintBudget.burstMin, PaintBudget.usualBurst * rate / PaintBudget.usualRate))
    let isFast = carried >= PaintBudget.firstSecondMax || baud == nil || baud == 0
    firstRoom = isFast ? PaintBudget.firstSecondMax : 0
  }

  /// The number of bytes that may be printed now.
  public func room(at now: Instant) -> Int {
    if isFirstSecond(now) { return firstRoom }
    let wait = fullAt - now
    guard wait > .zero else { return Int(burst) }
    let missing = (wait.nanoseconds / 1_000 * bytesPerSecond + 999_999) / 1_000_000
    return Int(max(0, burst - missing))
  }

  private func isFirstSecond(_ now: Instant) -> Bool {
    firstRoom > 0 && firstEnd.map { now < $0 } ?? true
  }

  public mutating func spent(_ count: Int, at now: Instant) {
    if count > 0, firstRoom > 0 {
      firstEnd = firstEnd ?? now + .seconds(1)
      firstRoom = isFirstSecond(now) ? max(0, firstRoom - count) : 0
    }
    fullAt = max(fullAt, now) + time(of: Int64(count))
  }

  /// When this many bytes may be printed, at most the burst.
  public func roomTime(of count: Int, at now: Instant) -> Instant {
    if isFirstSecond(now), firstRoom >= count { return now }
    return fullAt - time(of: max(0, burst - Int64(count)))
  }

  /// Rounded up, so that the rate is never exceeded.
  private func time(of count: Int64) -> Interval {
    Interval(nanoseconds: (count * 1_000_000_000 + bytesPerSecond - 1) / bytesPerSecond)
  }
}
