public import BinnacleBasics

/// Knows when reading the receiver would only wake the board.
///
/// Within a frame its remaining length says when its last byte will be in. After a solution nothing urgent comes
/// until the next one, and there is a lull:
///
///     unknown --solution--> seen --the same interval in epochs and on our clock--> steady
///     steady --10 solutions within 0.5 ms of their mean--> regular
///     steady, regular --a solution that is out of step--> seen
///     regular --3 in a row that are missed by more than 1 ms, or that a probe finds whole--> steady
///
/// In the steady state the mean instant of arrival is followed, how much earlier than the mean solutions come is
/// learned, and the lull lasts until about the middle of the frame, so that its rest can be waited for exactly. In
/// the regular state it lasts until the frame is whole.
public struct WakeupPredictor: Equatable, Codable, Sendable {
  /// Until when nothing need be read; nil: read as soon as there are bytes.
  public private(set) var quietUntil: Instant?
  private var paceBaud: Int
  private let isPaceKnown: Bool
  private var state = State.unknown
  private var marginNanoseconds: Int64 = 0
  private var slackNanoseconds = slackStartNanoseconds
  private var lastRead = LastRead.betweenFrames

  private enum State: Equatable, Codable, Sendable {
    case unknown
    case seen(at: Instant, epochMilliseconds: UInt32, agreements: Int)
    /// `mean` is where the last solution was expected, drawn towards where it came.
    case steady(mean: Instant, epochMilliseconds: UInt32, period: Interval, near: Int)
    case regular(WakeupTarget, epochMilliseconds: UInt32)
  }

  private enum LastRead: Equatable, Codable, Sendable {
    case betweenFrames
    case withinFrame(at: Instant)
    /// The read before a lull; the next one is what the lull was aimed at.
    case beforeLull
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
  /// What is given away besides what was learned.
  private static let safety = Interval.milliseconds(2)
  private static let marginMaxNanoseconds: Int64 = 200_000_000
  /// Shorter waits than this save no wake-up.
  private static let frameQuietMin = Interval.microseconds(300)
  /// No frame that was asked for takes longer; a length that damage made up may claim more.
  private static let frameQuietMax = Interval.milliseconds(500)
  /// After the instant at which the last byte should be in, before anything was learned.
  private static let slackStartNanoseconds: Int64 = 100_000
  /// One read in sixteen may be too early, so that the others are not too late.
  private static let slackStepNanoseconds: Int64 = 150_000
  /// What a UART's FIFO keeps back until it is full or the line has been idle.
  private static let fifoBytes: Int64 = 8
  /// Solutions this close to their mean, so many times in a row, come regularly.
  private static let nearMax = Interval.microseconds(500)
  private static let nearCountMin = 10
  private static let weekMilliseconds: Int64 = 604_800_000

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
  ///   - epochMilliseconds: the time of week of the solution that they completed; nil: none.
  ///   - patience: what may be waited for.
  ///   - now: when the read was made.
  mutating func bytesRead(
    _ count: Int, bytesAwaited: Int, epochMilliseconds: UInt32?, patience: Patience,
    at now: Instant
  ) {
    if let epochMilliseconds { follow(epochMilliseconds, at: now) }
    learnSlack(bytesAwaited, at: now)
    measurePace(count, bytesAwaited: bytesAwaited, at: now)
    var isLull = false
    switch patience {
    case .none: quietUntil = nil
    case .withinFrames: quietUntil = frameEnd(bytesAwaited, at: now)
    case .betweenSolutions:
      // What is left on the line after a solution is not urgent, even when a frame of it has begun.
      let lull = lullEnd(at: now)
      quietUntil = lull ?? frameEnd(bytesAwaited, at: now)
      isLull = lull != nil
    }
    lastRead =
      isLull ? .beforeLull : bytesAwaited > 0 ? .withinFrame(at: now) : .betweenFrames
  }

  /// Something is to be heard as soon as it comes.
  mutating func becameUrgent() {
    quietUntil = nil
  }

  // MARK: Learning

  /// Bytes between two reads within one frame came at the line's pace.
  private mutating func measurePace(_ count: Int, bytesAwaited: Int, at now: Instant) {
    guard !isPaceKnown, bytesAwaited > 0, case .withinFrame(let before) = lastRead, now > before,
      count >= 16
    else { return }
    let baud = Int64(min(count, 65_536)) * 10_000_000_000 / (now - before).nanoseconds
    paceBaud = Int(min(max((Int64(paceBaud) * 3 + min(baud, 4_000_000)) / 4, 4_800), 4_000_000))
  }

  /// Bytes come out of a FIFO in groups, so the last ones may be later than the line's speed says, and earlier
  /// when those before them had waited for their group.
  private mutating func learnSlack(_ bytesAwaited: Int, at now: Instant) {
    guard case .withinFrame = lastRead, let quietUntil, now >= quietUntil,
      now - quietUntil < .milliseconds(1)
    else { return }
    let group = duration(ofBytes: WakeupPredictor.fifoBytes).nanoseconds
    if bytesAwaited > 0, bytesAwaited <= Int(WakeupPredictor.fifoBytes) {
      slackNanoseconds = min(
        slackNanoseconds + WakeupPredictor.slackStepNanoseconds,
        WakeupPredictor.slackStartNanoseconds + group)
    } else {
      slackNanoseconds = max(slackNanoseconds - WakeupPredictor.slackStepNanoseconds / 15, -group)
    }
  }

  private mutating func follow(_ epoch: UInt32, at now: Instant) {
    switch state {
    case .unknown:
      state = .seen(at: now, epochMilliseconds: epoch, agreements: 0)
    case .seen(let before, let epochBefore, let agreements):
      let period = WakeupPredictor.interval(from: epochBefore, to: epoch)
      guard let period, abs((now - before - period).nanoseconds) * 2 < period.nanoseconds else {
        state = .seen(at: now, epochMilliseconds: epoch, agreements: 0)
        return
      }
      state =
        agreements < 2
        ? .seen(at: now, epochMilliseconds: epoch, agreements: agreements + 1)
        : .steady(mean: now, epochMilliseconds: epoch, period: period, near: 0)
    case .steady(let mean, let epochBefore, let period, let near):
      let error = now - (mean + period)
      guard WakeupPredictor.interval(from: epochBefore, to: epoch) == period,
        abs(error.nanoseconds) * 2 < period.nanoseconds
      else {
        state = .seen(at: now, epochMilliseconds: epoch, agreements: 0)
        return
      }
      learnMargin(error: error)
      let isNear = abs(error.nanoseconds) <= WakeupPredictor.nearMax.nanoseconds
      state =
        isNear && near >= WakeupPredictor.nearCountMin
        ? .regular(WakeupTarget(after: now, period: period), epochMilliseconds: epoch)
        : .steady(
          mean: mean + period + error / 8, epochMilliseconds: epoch, period: period,
          near: isNear ? near + 1 : 0)
    case .regular(let wakeup, let epochBefore):
      followRegular(wakeup, from: epochBefore, to: epoch, at: now)
    }
  }

  private mutating func followRegular(
    _ wakeup: WakeupTarget, from epochBefore: UInt32, to epoch: UInt32, at now: Instant
  ) {
    var wakeup = wakeup
    guard WakeupPredictor.interval(from: epochBefore, to: epoch) == wakeup.period,
      abs((now - wakeup.target).nanoseconds) * 2 < wakeup.period.nanoseconds
    else {
      state = .seen(at: now, epochMilliseconds: epoch, agreements: 0)
      return
    }
    let isRegular = if case .beforeLull = lastRead { wakeup.hit() } else { wakeup.missed(by: now) }
    state =
      isRegular
      ? .regular(wakeup, epochMilliseconds: epoch)
      : .steady(mean: now, epochMilliseconds: epoch, period: wakeup.period, near: 0)
  }

  private static func interval(from epoch: UInt32, to next: UInt32) -> Interval? {
    var milliseconds = Int64(next) - Int64(epoch)
    if milliseconds < 0 { milliseconds += weekMilliseconds }
    return (20...2_500).contains(milliseconds) ? .milliseconds(milliseconds) : nil
  }

  /// When a solution was complete already as the lull ended, the error is what the lull left of the period, so
  /// that the lull shrinks by that much with every such epoch.
  private mutating func learnMargin(error: Interval) {
    marginNanoseconds -= marginNanoseconds / 512
    marginNanoseconds = max(marginNanoseconds, -error.nanoseconds)
    marginNanoseconds = min(marginNanoseconds, WakeupPredictor.marginMaxNanoseconds)
  }

  // MARK: Predicting

  private func frameEnd(_ bytesAwaited: Int, at now: Instant) -> Instant? {
    let wait = duration(ofBytes: Int64(min(bytesAwaited, 16_384)))
    guard bytesAwaited > Int(WakeupPredictor.fifoBytes), wait >= WakeupPredictor.frameQuietMin,
      !isRegular || bytesAwaited > 2 * Int(WakeupPredictor.fifoBytes)
    else { return nil }
    return now
      + min(wait + Interval(nanoseconds: slackNanoseconds), WakeupPredictor.frameQuietMax)
  }

  private var isRegular: Bool {
    if case .regular = state { true } else { false }
  }

  /// When the lull after the last solution ends; nil when there is none or it is over.
  private func lullEnd(at now: Instant) -> Instant? {
    let end: Instant
    switch state {
    case .unknown, .seen: return nil
    case .steady(let mean, _, let period, _):
      let half = duration(ofBytes: WakeupPredictor.solutionBytes / 2)
      let wanted =
        mean + period - half - WakeupPredictor.safety - Interval(nanoseconds: marginNanoseconds)
      let longest = min(period / 20 * 19, longestLull)
      end = min(wanted, mean + longest, now + longest)
    case .regular(let wakeup, _):
      // Longer than the kernel's buffer lasts: the bytes are read when they come.
      guard wakeup.wakeUp - now <= longestLull else { return nil }
      end = wakeup.wakeUp
    }
    return end - now >= .milliseconds(1) ? end : nil
  }

  private var longestLull: Interval { duration(ofBytes: WakeupPredictor.lullBytesMax) }

  private func duration(ofBytes count: Int64) -> Interval {
    Interval(nanoseconds: count * 10_000_000_000 / Int64(paceBaud))
  }
}
