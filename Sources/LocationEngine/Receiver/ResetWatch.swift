import BinnacleBasics

/// Detects that a receiver has restarted and lost its configuration.
///
/// Three signs: the uptime goes backwards, the receiver sends its boot text, or sentences arrive that were switched
/// off. A receiver that keeps sending sentences against its orders would be configured without end, so the pauses
/// between two configurations grow.
struct ResetWatch: Equatable, Codable, Sendable {
  private var uptimeMilliseconds: UInt32 = 0
  private var sentences = 0
  private var notBefore: Instant
  private var pause = ResetWatch.pauseMin

  /// The evidence of a restart.
  enum Sign: String, Equatable, Sendable {
    case uptime = "its uptime went backwards"
    case bootText = "it sent its boot text"
    case sentences = "it sends sentences that were switched off"
  }

  private static let pauseMin = Interval.seconds(5)
  private static let pauseMax = Interval.seconds(600)
  private static let sentencesMin = 3

  init(at now: Instant) {
    notBefore = now + ResetWatch.pauseMin
  }

  mutating func uptimeTold(_ milliseconds: UInt32, at now: Instant) -> Sign? {
    let before = uptimeMilliseconds
    uptimeMilliseconds = milliseconds
    // After 49.7 days the counter wraps.
    let isWrap = before > 0xF000_0000 && milliseconds < 0x1000_0000
    guard milliseconds < before, !isWrap else { return nil }
    return noticed(.uptime, at: now)
  }

  mutating func textArrived(at now: Instant) -> Sign? {
    guard now >= notBefore else { return nil }
    return noticed(.bootText, at: now)
  }

  /// A sentence came although sentences are switched off.
  mutating func sentenceArrived(at now: Instant) -> Sign? {
    guard now >= notBefore else { return nil }
    sentences += 1
    return sentences >= ResetWatch.sentencesMin ? noticed(.sentences, at: now) : nil
  }

  private mutating func noticed(_ sign: Sign, at now: Instant) -> Sign? {
    sentences = 0
    // The known uptime is older than the restart: a second sign of the same restart must not count.
    uptimeMilliseconds = 0
    // The pause is forgotten after a long time without a restart.
    pause = now - notBefore > pause * 20 ? ResetWatch.pauseMin : min(pause * 2, ResetWatch.pauseMax)
    notBefore = now + pause
    return sign
  }
}
