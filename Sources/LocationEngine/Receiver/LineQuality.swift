/// The share of damaged messages on a line, and the multiples of tries and waits that the share requires.
///
/// A line that loses one byte in fifty damages three of four sentences. The number of tries lets nearly all orders and
/// polls through at that rate.
struct LineQuality: Equatable, Codable, Sendable {
  /// Whole messages and damaged stretches since the speed was set; both are halved when there are many.
  private var wholeCount = 0
  private var damagedCount = 0
  /// The parser's count of discarded bytes at the last check; nil: earlier bytes do not count.
  private var damageSeen: Int?

  /// Fewer messages give no estimate.
  private static let countMin = 8
  private static let countMax = 64

  /// The tries and waits on this line.
  struct Effort: Equatable, Codable, Sendable {
    /// The tries of an order or a poll, as a multiple of those on a clean line.
    var tries: Int
    /// How long positions may be missing, as a multiple of the time on a clean line.
    var patience: Int64

    static let plain = Effort(tries: 1, patience: 1)
  }

  mutating func frameArrived() {
    wholeCount += 1
    forgetOld()
  }

  /// - Parameter occurrences: the parser's count of discards since the device was first opened.
  mutating func damageCounted(_ occurrences: Int) {
    damagedCount += min(max(0, occurrences - (damageSeen ?? occurrences)), LineQuality.countMax)
    damageSeen = occurrences
    forgetOld()
  }

  /// The line runs at another speed: damage at the old speed does not count.
  mutating func speedChanged() {
    wholeCount = 0
    damagedCount = 0
    damageSeen = nil
  }

  /// The share of damaged messages in percent; nil while too few messages have arrived.
  var damagedPercent: Int? {
    let count = wholeCount + damagedCount
    // A line without a whole message has a wrong speed.
    guard count >= LineQuality.countMin, wholeCount > 0 else { return nil }
    return damagedCount * 100 / count
  }

  var effort: Effort {
    switch damagedPercent ?? 0 {
    case ...5: .plain
    case ...30: Effort(tries: 2, patience: 1)
    case ...60: Effort(tries: 3, patience: 2)
    case ...80: Effort(tries: 5, patience: 6)
    case _: Effort(tries: 8, patience: 24)
    }
  }

  private mutating func forgetOld() {
    guard wholeCount + damagedCount > LineQuality.countMax else { return }
    wholeCount /= 2
    damagedCount /= 2
  }
}
