import BinnacleBasics

/// Reduces the fixes of a receiver to the rate of one sequence, on a grid of the fixes' own times.
///
/// A 10 Hz receiver serves a 1 Hz sequence at the full seconds. Receivers' time stamps are some microseconds to
/// milliseconds off the grid. A fix that is a whole period later than the previous fix passes at any time.
struct RateGrid: Equatable, Codable, Sendable {
  private var lastMilliseconds: Int64?

  private static let toleranceMilliseconds: Int64 = 20

  /// Whether a fix with this time is delivered; the fix then counts as delivered.
  mutating func admits(_ time: UTCTime, rateHz: Int) -> Bool {
    let milliseconds = RateGrid.milliseconds(time)
    guard let last = lastMilliseconds else {
      lastMilliseconds = milliseconds
      return true
    }
    let period = Int64(1_000 / max(1, min(rateHz, 1_000)))
    let tolerance = min(RateGrid.toleranceMilliseconds, period / 2)
    let elapsed = milliseconds - last
    let isOnNextMark =
      RateGrid.mark(milliseconds + tolerance, period) != RateGrid.mark(last + tolerance, period)
    guard elapsed < 0 || elapsed >= period - tolerance || (isOnNextMark && elapsed >= period / 4)
    else { return false }
    lastMilliseconds = milliseconds
    return true
  }

  private static func mark(_ milliseconds: Int64, _ period: Int64) -> Int64 {
    let quotient = milliseconds / period
    return milliseconds % period < 0 ? quotient - 1 : quotient
  }

  /// Milliseconds since 1970, limited so that no date overflows.
  private static func milliseconds(_ time: UTCTime) -> Int64 {
    let seconds = min(max(time.secondsSince1970, -1 << 50), 1 << 50)
    return seconds * 1_000 + Int64(time.nanoseconds) / 1_000_000
  }
}
