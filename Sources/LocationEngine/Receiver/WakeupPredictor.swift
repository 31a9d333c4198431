public import BinnacleBasics

/// Predicts when the next useful bytes of the receiver arrive, so that reads do not wake the board earlier.
///
/// Within a frame, the remaining length gives the arrival of the last byte. After a solution, nothing urgent arrives
/// until the next solution, so reads pause for a time that is called a lull here:
///
///     unknown --solution--> seen --the same interval in epochs and on the daemon's clock--> steady
///     steady --10 more solutions within 0.5 ms of their mean than twice those farther from it--> regular
///     steady --a solution that is out of step--> seen
///     regular --a solution that is not a whole number of periods after the last one--> seen
///     regular --3 solutions in a row that are missed by more than 1 ms, or that a probe finds whole--> steady
///
/// In the steady state the predictor follows the mean instant of arrival, and learns how much earlier than the mean
/// solutions arrive. The lull ends at about the middle of the frame, so that the arrival of the rest can be computed
/// exactly. In the regular state the lull ends when the frame is whole.
public struct WakeupPredictor: Equatable, Codable, Sendable {
  /// Until when no read is needed; nil: read as soon as there are bytes.
  public private(set) var quietUntil: Instant?
  private var paceBaud: Int
  private let isPaceKnown: Bool
  private var state = State.unknown
  private var marginNanoseconds: Int64 = 0
  private var slackNanoseconds = slackStartNanoseconds
  private var lastRead = LastRead.betweenFrames
  /// Bytes since the last solution.
  private var periodBytes = 0
  /// The most bytes from one solution to the next, of late.
  private var periodBytesMax = 0

  private enum State: Equatable, Codable, Sendable {
    case unknown
    case seen(at: Instant, epochMilliseconds: UInt32, agreements: Int)
    /// `mean` is the expected arrival of the last solution, corrected by an eighth of its error.
    case steady(mean: Instant, epochMilliseconds: UInt32, period: Interval, near: Int)
    case regular(WakeupTarget, epochMilliseconds: UInt32)
  }

  private enum LastRead: Equatable, Codable, Sendable {
    case betweenFrames
    /// Reads within a frame; `count` bytes were read after the instant, too few to measure the pace.
    case withinFrame(since: Instant, count: Int)
    /// The read before a lull; the lull is meant to end at the next read.
    case beforeLull
  }

  /// The event that the reader may wait for.
  enum Patience: Equatable, Sendable {
    /// Nothing: every byte is read when it arrives.
    case none
    /// The end of a frame.
    case withinFrames
    /// The end of a frame, and the next solution.
    case betweenSolutions
  }

  /// The pace is measured over this many bytes or more.
  private static let measuredBytesMin = 16
  /// NAV-PVT with its header and checksum.
  private static let solutionBytes: Int64 = 100
  /// Bytes that fit the kernel's buffer of 4 KiB with a margin.
  private static let lullBytesMax = 2_000
  /// The lull ends earlier by this time and the learned margin.
  private static let safety = Interval.milliseconds(2)
  private static let marginMaxNanoseconds: Int64 = 200_000_000
  /// Shorter waits than this save no wake-up.
  private static let frameQuietMin = Interval.microseconds(300)
  /// No requested frame takes longer; a length that damage made up may be longer.
  private static let frameQuietMax = Interval.milliseconds(500)
  /// The first value of the wait after the computed arrival of the last byte.
  private static let slackStartNanoseconds: Int64 = 100_000
  /// The wait grows by this step after an early read and shrinks by a fifteenth of the step otherwise.
  ///
  /// About one read in sixteen is then too early, so that the others are not too late.
  private static let slackStepNanoseconds: Int64 = 150_000
  /// The bytes that a UART's FIFO holds until it is full or the line has been idle.
  private static let fifoBytes: Int64 = 8
  /// Solutions that arrive this close to their mean, this many times in a row, are regular.
  private static let nearMax = Interval.microseconds(500)
  private static let nearCountMin = 10
  /// A solution that is farther from the mean takes this many away, since a board or a clock may be busy for a moment.
  private static let farCost = 2
  private static let periodMax = Interval.milliseconds(2_500)
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
  ///   - count: the number of bytes in the read.
  ///   - bytesAwaited: the number of bytes that the unfinished frame still lacks.
  ///   - epochMilliseconds: the time of week of the solution that the bytes completed; nil: none.
  ///   - patience: the event that the reader may wait for.
  ///   - now: when the read was made.
  mutating func bytesRead(
    _ count: Int, bytesAwaited: Int, epochMilliseconds: UInt32?, patience: Patience,
    at now: Instant
  ) {
    periodBytes += count
    if let epochMilliseconds {
      follow(epochMilliseconds, at: now)
      periodBytesMax = max(periodBytes, periodBytesMax - periodBytesMax / 16)
      periodBytes = 0
    }
    learnSlack(bytesAwaited, at: now)
    let read = measurePace(count, bytesAwaited: bytesAwaited, at: now)
    var isLull = false
    switch patience {
    case .none: quietUntil = nil
    case .withinFrames: quietUntil = frameEnd(bytesAwaited, at: now)
    case .betweenSolutions:
      // The bytes after a solution are not urgent, even if a frame has begun in them.
      let lull = lullEnd(at: now)
      // A regular solution that is not whole is late, and so are its bytes: they may come faster than the line's pace.
      quietUntil = lull ?? (isRegular ? nil : frameEnd(bytesAwaited, at: now))
      isLull = lull != nil
    }
    lastRead = isLull ? .beforeLull : read
  }

  /// The next bytes are urgent and are read as soon as they arrive.
  mutating func becameUrgent() {
    quietUntil = nil
  }

  // MARK: Learning

  /// Measures the pace of the line from the bytes that were read within one frame after its first read.
  ///
  /// - Returns: this read, for the next one.
  private mutating func measurePace(_ count: Int, bytesAwaited: Int, at now: Instant) -> LastRead {
    guard bytesAwaited > 0 else { return .betweenFrames }
    guard !isPaceKnown, case .withinFrame(let before, let countBefore) = lastRead, now > before
    else { return .withinFrame(since: now, count: 0) }
    let bytes = min(countBefore + count, 65_536)
    guard bytes >= WakeupPredictor.measuredBytesMin else {
      return .withinFrame(since: before, count: bytes)
    }
    let measured = Int64(bytes) * 10_000_000_000 / (now - before).nanoseconds
    let difference = Int(min(max(measured, 4_800), 4_000_000)) - paceBaud
    // A line seems slow when the receiver was busy within the frame, so a lower pace is believed more slowly.
    paceBaud += difference / (difference > 0 ? 4 : 16)
    return .withinFrame(since: now, count: 0)
  }

  /// Learns the wait after the computed arrival of a frame's last byte.
  ///
  /// A FIFO delivers bytes in groups. The last bytes may arrive later than the line's speed implies. They may also
  /// arrive earlier if the bytes before them waited for their group.
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
          near: isNear ? near + 1 : max(0, near - WakeupPredictor.farCost))
    case .regular(let wakeup, let epochBefore):
      followRegular(wakeup, from: epochBefore, to: epoch, at: now)
    }
  }

  private mutating func followRegular(
    _ wakeup: WakeupTarget, from epochBefore: UInt32, to epoch: UInt32, at now: Instant
  ) {
    // The same solution again, which says nothing about the next one.
    if epoch == epochBefore { return }
    var wakeup = wakeup
    guard let gap = WakeupPredictor.interval(from: epochBefore, to: epoch),
      wakeup.isNext(after: gap, at: now)
    else {
      state = .seen(at: now, epochMilliseconds: epoch, agreements: 0)
      return
    }
    let isRegular =
      if case .beforeLull = lastRead {
        wakeup.hit()
      } else {
        wakeup.missed(by: now, isExact: quietUntil == nil)
      }
    state =
      isRegular
      ? .regular(wakeup, epochMilliseconds: epoch)
      : .steady(mean: now, epochMilliseconds: epoch, period: wakeup.period, near: 0)
  }

  private static func interval(from epoch: UInt32, to next: UInt32) -> Interval? {
    var milliseconds = Int64(next) - Int64(epoch)
    if milliseconds < 0 { milliseconds += weekMilliseconds }
    let interval = Interval.milliseconds(milliseconds)
    return interval >= .milliseconds(20) && interval <= periodMax ? interval : nil
  }

  /// Learns how much earlier than their mean solutions arrive.
  ///
  /// If a solution was complete before the lull ended, the error is the part of the period that the lull left. The lull
  /// then shrinks by that part at every such epoch.
  private mutating func learnMargin(error: Interval) {
    marginNanoseconds -= marginNanoseconds / 512
    marginNanoseconds = max(marginNanoseconds, -error.nanoseconds)
    marginNanoseconds = min(marginNanoseconds, WakeupPredictor.marginMaxNanoseconds)
  }

  // MARK: Predicting

  private func frameEnd(_ bytesAwaited: Int, at now: Instant) -> Instant? {
    let wait = duration(ofBytes: Int64(min(bytesAwaited, 16_384)))
    guard bytesAwaited > Int(WakeupPredictor.fifoBytes), wait >= WakeupPredictor.frameQuietMin
    else { return nil }
    return now
      + min(wait + Interval(nanoseconds: slackNanoseconds), WakeupPredictor.frameQuietMax)
  }

  private var isRegular: Bool {
    if case .regular = state { true } else { false }
  }

  /// When the lull after the last solution ends; nil if there is none or it is over.
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
      // The lull would be longer than the kernel's buffer lasts, so the bytes are read as they arrive.
      guard wakeup.wakeUp - now <= longestLull else { return nil }
      end = wakeup.wakeUp
    }
    return end - now >= .milliseconds(1) ? end : nil
  }

  /// The longest time without a read in which the kernel's buffer does not become full.
  ///
  /// A line without a speed holds its sender back while the buffer is full, and its measured pace may be that of a burst. On
  /// such a line the usual bytes of a period are the measure.
  private var longestLull: Interval {
    !isPaceKnown && periodBytesMax <= WakeupPredictor.lullBytesMax
      ? WakeupPredictor.periodMax : duration(ofBytes: Int64(WakeupPredictor.lullBytesMax))
  }

  private func duration(ofBytes count: Int64) -> Interval {
    Interval(nanoseconds: count * 10_000_000_000 / Int64(paceBaud))
  }
}
