public import Basics

/// Knows when reading the receiver would only wake the board.
///
/// Within a frame its remaining length says when its last byte will be in. After a solution nothing urgent comes
/// until the next one: the lull lasts until about the middle of the frame that will carry it, so that the
/// rest of the frame can be waited for exactly. The period is learned from solutions; how much earlier than
/// expected they come is learned too, and when the frame was complete on waking, the next lull is shorter.
public struct EpochRhythm: Equatable, Codable, Sendable {
  /// Until when nothing need be read; nil: read as soon as there are bytes.
  public private(set) var quietUntil: Instant?
  private var paceBaud: Int
  private let isPaceKnown: Bool
  private var solved: Solved = .never
  private var period: Period = .unknown
  private var marginNanoseconds: Int64 = marginMinNanoseconds
  private var lastRead = LastRead.none

  private enum Solved: Equatable, Codable, Sendable {
    case never
    case at(Instant)
  }

  private enum Period: Equatable, Codable, Sendable {
    case unknown
    /// Seen once: nothing is based on it.
    case suspected(Interval)
    case known(Interval)
  }

  private enum LastRead: Equatable, Codable, Sendable {
    case none
    /// The last read ended within a frame.
    case withinFrame(at: Instant)
  }

  /// What may be waited for.
  enum Patience: Equatable, Sendable {
    /// Nothing: every byte is to be read when it comes.
    case none
    /// The end of a frame.
    case withinFrames
    /// That, and the next solution.
    case betweenSolutions
  }

  /// NAV-PVT with its header and checksum.
  private static let solutionBytes: Int64 = 100
  /// What the kernel's buffer of 4 KiB holds with a margin.
  private static let lullBytesMax: Int64 = 2_000
  private static let marginMinNanoseconds: Int64 = 2_000_000
  /// Shorter waits than this save no wake-up.
  private static let frameQuietMin = Interval.microseconds(300)
  /// No frame that was asked for takes longer; a length that damage made up may claim more.
  private static let frameQuietMax = Interval.milliseconds(500)
  /// After the instant at which the last byte should be in.
  private static let frameSlack = Interval.microseconds(100)

  /// - Parameters:
  ///   - speed: the speed of the line in baud.
  ///   - isPaced: whether the line really carries bytes at that speed; otherwise the pace is measured.
  init(speed: Int, isPaced: Bool) {
    isPaceKnown = isPaced
    paceBaud = isPaced ? max(300, speed) : max(115_200, speed)
  }

  /// Takes the result of one read.
  ///
  /// - Parameters:
  ///   - count: how many bytes the read gave.
  ///   - bytesAwaited: what the frame at hand lacks after them.
  ///   - hasSolution: whether they completed a solution that carries a position by UBX.
  ///   - patience: what may be waited for.
  ///   - now: when the read was made.
  mutating func bytesRead(
    _ count: Int, bytesAwaited: Int, hasSolution: Bool, patience: Patience, at now: Instant
  ) {
    let wasOverslept = wasOverslept(at: now)
    measurePace(count, bytesAwaited: bytesAwaited, at: now)
    if hasSolution { learnEpoch(wasOverslept: wasOverslept, at: now) }
    switch patience {
    case .none: quietUntil = nil
    case .withinFrames: quietUntil = frameEnd(bytesAwaited, at: now)
    case .betweenSolutions:
      quietUntil = bytesAwaited > 0 ? frameEnd(bytesAwaited, at: now) : lullEnd(at: now)
    }
  }

  /// Something is to be heard as soon as it comes.
  mutating func becameUrgent() {
    quietUntil = nil
  }

  // MARK: Learning

  private mutating func measurePace(_ count: Int, bytesAwaited: Int, at now: Instant) {
    defer { lastRead = bytesAwaited > 0 ? .withinFrame(at: now) : .none }
    guard !isPaceKnown, bytesAwaited > 0, case .withinFrame(let before) = lastRead, now > before,
      count >= 16
    else { return }
    let baud = Int64(count) * 10_000_000_000 / (now - before).nanoseconds
    let mixed = (Int64(paceBaud) * 3 + baud) / 4
    paceBaud = Int(min(max(mixed, 4_800), 4_000_000))
  }

  private mutating func learnEpoch(wasOverslept: Bool, at now: Instant) {
    defer { solved = .at(now) }
    guard case .at(let before) = solved else { return }
    let seen = now - before
    guard seen.nanoseconds >= 20_000_000, seen.nanoseconds <= 2_500_000_000 else {
      period = .unknown
      return
    }
    switch period {
    case .unknown: period = .suspected(seen)
    case .suspected(let old):
      period = EpochRhythm.agree(old, seen) ? .known((old + seen) / 2) : .suspected(seen)
    case .known(let old):
      guard EpochRhythm.agree(old, seen) else {
        period = .suspected(seen)
        return
      }
      learnMargin(earliness: (old - seen).nanoseconds, isLateRead: wasOverslept)
      period = .known(Interval(nanoseconds: (old.nanoseconds * 7 + seen.nanoseconds) / 8))
    }
  }

  private static func agree(_ one: Interval, _ other: Interval) -> Bool {
    abs(one.nanoseconds - other.nanoseconds) * 5 <= one.nanoseconds
  }

  /// Whether the solution was complete when the lull ended, so that it may have waited for us.
  private func wasOverslept(at now: Instant) -> Bool {
    guard lastRead == .none, let quietUntil else { return false }
    return now >= quietUntil && now - quietUntil < .milliseconds(1)
  }

  private mutating func learnMargin(earliness: Int64, isLateRead: Bool) {
    let least = EpochRhythm.marginMinNanoseconds
    if isLateRead {
      marginNanoseconds = min(marginNanoseconds + max(4_000_000, marginNanoseconds), 200_000_000)
    } else {
      marginNanoseconds -= (marginNanoseconds - least) / 32
    }
    marginNanoseconds = max(marginNanoseconds, min(earliness + least, 200_000_000))
  }

  // MARK: Predicting

  private func frameEnd(_ bytesAwaited: Int, at now: Instant) -> Instant? {
    let wait = duration(ofBytes: Int64(min(bytesAwaited, 16_384)))
    guard bytesAwaited > 0, wait >= EpochRhythm.frameQuietMin else { return nil }
    return now + min(wait + EpochRhythm.frameSlack, EpochRhythm.frameQuietMax)
  }

  /// When the lull after the last solution ends; nil when there is none or it is over.
  private func lullEnd(at now: Instant) -> Instant? {
    guard case .at(let solvedAt) = solved, case .known(let period) = period else { return nil }
    let half = duration(ofBytes: EpochRhythm.solutionBytes / 2)
    let lull = min(
      (period - half).nanoseconds - marginNanoseconds, period.nanoseconds / 10 * 9,
      duration(ofBytes: EpochRhythm.lullBytesMax).nanoseconds)
    let end = solvedAt + Interval(nanoseconds: lull)
    return end - now >= .milliseconds(1) ? end : nil
  }

  private func duration(ofBytes count: Int64) -> Interval {
    Interval(nanoseconds: count * 10_000_000_000 / Int64(paceBaud))
  }
}
