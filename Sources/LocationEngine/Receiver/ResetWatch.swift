import Basics

/// Notices that a receiver has started again and lost what it was told.
///
/// Four signs: its uptime goes backwards, it says its boot text, sentences come that were switched off, or no
/// position comes, which every epoch has, with a fix or without: its order may have been lost too. A receiver that goes on sending them although it was told not to would be configured for ever, so that the
/// pauses between two configurations grow.
struct ResetWatch: Equatable, Codable, Sendable {
  private var uptimeMilliseconds: UInt32 = 0
  private var sentences = 0
  private var positionAt: Instant
  private var notBefore: Instant
  private var pause = ResetWatch.pauseMin

  /// Why the receiver is taken to have started again.
  enum Sign: String, Equatable, Sendable {
    case uptime = "its uptime went backwards"
    case bootText = "it said its boot text"
    case sentences = "it sends sentences that were switched off"
    case noPosition = "it sends no positions"
  }

  private static let pauseMin = Interval.seconds(5)
  private static let pauseMax = Interval.seconds(600)
  private static let sentencesMin = 3
  /// Several epochs at the slowest rate, 1 Hz.
  private static let positionPatience = Interval.seconds(5)

  init(at now: Instant) {
    positionAt = now
    notBefore = now + ResetWatch.pauseMin
  }

  mutating func uptimeTold(_ milliseconds: UInt32, at now: Instant) -> Sign? {
    let before = uptimeMilliseconds
    uptimeMilliseconds = milliseconds
    // After 49.7 days the counter starts again by itself.
    let isWrap = before > 0xF000_0000 && milliseconds < 0x1000_0000
    guard milliseconds < before, !isWrap else { return nil }
    return noticed(.uptime, at: now)
  }

  mutating func textArrived(at now: Instant) -> Sign? {
    guard now >= notBefore else { return nil }
    return noticed(.bootText, at: now)
  }

  /// A sentence came although the receiver was told to send none.
  mutating func sentenceArrived(at now: Instant) -> Sign? {
    guard now >= notBefore else { return nil }
    sentences += 1
    return sentences >= ResetWatch.sentencesMin ? noticed(.sentences, at: now) : nil
  }

  /// A position came, or none is expected yet.
  mutating func positionArrived(at now: Instant) {
    positionAt = now
  }

  /// Something came that is no position.
  mutating func otherArrived(at now: Instant) -> Sign? {
    guard now >= notBefore, now - positionAt > ResetWatch.positionPatience else { return nil }
    return noticed(.noPosition, at: now)
  }

  private mutating func noticed(_ sign: Sign, at now: Instant) -> Sign? {
    sentences = 0
    // What was known of its uptime is of the life before: a second sign of the same start is none.
    uptimeMilliseconds = 0
    positionAt = now
    // The pause is forgotten when the receiver was well for long.
    pause = now - notBefore > pause * 20 ? ResetWatch.pauseMin : min(pause * 2, ResetWatch.pauseMax)
    notBefore = now + pause
    return sign
  }
}
