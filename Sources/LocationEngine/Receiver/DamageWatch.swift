import BinnacleBasics

/// Measures which share of the bytes on the receiver's line is damaged.
///
/// The bytes are counted in periods of ten seconds. A new speed begins the period again, because bytes at a wrong speed
/// do not show the quality of the line. The share of the last period holds for a minute, so that a search through the
/// speeds does not hide it.
struct DamageWatch: Equatable, Codable, Sendable {
  private var periodStart = Instant.zero
  /// The decoder's counts.
  private var counts = Counts()
  private var countsAtStart = Counts()
  /// The share of the last period in percent; nil before the end of a period.
  private var lastPercent: Int?
  private var measuredAt = Instant.zero

  private struct Counts: Equatable, Codable, Sendable {
    var wholeBytes = 0
    var damagedBytes = 0
  }

  private static let period = Interval.seconds(10)
  private static let validity = Interval.seconds(60)
  /// Fewer bytes give no estimate, and the period continues.
  private static let bytesMin = 200

  // MARK: Inputs

  /// A read was parsed.
  ///
  /// - Parameters:
  ///   - wholeBytes: the decoder's count of bytes in messages.
  ///   - damagedBytes: the decoder's count of discarded bytes.
  ///   - now: the time.
  mutating func bytesCounted(wholeBytes: Int, damagedBytes: Int, at now: Instant) {
    counts = Counts(wholeBytes: wholeBytes, damagedBytes: damagedBytes)
    let whole = wholeBytes - countsAtStart.wholeBytes
    let damaged = damagedBytes - countsAtStart.damagedBytes
    guard now - periodStart >= DamageWatch.period, whole + damaged >= DamageWatch.bytesMin
    else { return }
    // Without a whole message the speed may be wrong.
    if whole > 0 {
      lastPercent = damaged * 100 / (whole + damaged)
      measuredAt = now
    }
    beginPeriod(at: now)
  }

  mutating func speedChanged(at now: Instant) {
    beginPeriod(at: now)
  }

  /// The line was opened.
  mutating func restarted(at now: Instant) {
    lastPercent = nil
    beginPeriod(at: now)
  }

  private mutating func beginPeriod(at now: Instant) {
    periodStart = now
    countsAtStart = counts
  }

  // MARK: The result

  /// The share of damaged bytes in percent; nil if it was not measured in the last minute.
  func percent(at now: Instant) -> Int? {
    now - measuredAt <= DamageWatch.validity ? lastPercent : nil
  }
}
