import BinnacleBasics

/// Finds the speed at which a receiver is heard, and polls its identity at that speed.
///
/// Each round goes through the speeds: the last good speed first, then the speeds of new receivers. A whole frame shows
/// that the speed is right. The receiver is then polled at that speed; a receiver that does not answer is only read.
///
///     changing --speed changed--> listening
///     listening --whole frame--> hearing
///     listening --time is up, or many bytes and no whole frame--> changing to the next speed
///     listening at the last speed --the same--> pausing
///     hearing --asked twice, no answer--> settled for reading
///     pausing --whole frame--> hearing
///     pausing --time is up--> the next round
///
/// On a silent line a round takes about 3 s. Once bytes have come, at any speed, the line belongs to a receiver that
/// sends on its own, once a second in the default configuration. The speeds that were tried before its first epoch are
/// tried again, each until the next epoch. A receiver that sends a few bytes a second is heard after 9 s at the latest.
/// A receiver that sends more bytes shows a wrong speed sooner.
struct SearchMachine: Equatable, Codable, Sendable {
  private let speeds: [Int]
  private var place = 0
  /// The last place in the order.
  private var frontier = 0
  /// Places that were left before any byte had come at any speed.
  private var unheard: [Int] = []
  /// Whether bytes have come, at any speed.
  private(set) var isStreaming = false
  private var state: State
  /// Bytes since the speed was set.
  private var bytesHere = 0
  private(set) var rounds = 0

  private enum State: Equatable, Codable, Sendable {
    case changing(until: Instant)
    case listening(until: Instant, Patience)
    case hearing(until: Instant, questions: Int)
    case pausing(until: Instant)
  }

  /// The extension of the dwell at one speed.
  private enum Patience: Equatable, Codable, Sendable {
    case plain
    /// The line carries bytes: the search waits for the next epoch, and then for the dwell of the speed.
    case untilBytes(dwellEnd: Instant)
    case stretchedForBytes
  }

  enum Action: Equatable, Sendable {
    case none
    case change(Int)
    /// Wake the receiver and poll its identity.
    case ask
    /// The receiver is heard at this speed, and does not answer.
    case read
    /// A whole round found nothing.
    case pause(isFirst: Bool)
  }

  /// The speeds in the order of the search.
  ///
  /// New u-blox receivers have 38400 or 9600 baud. 4800 baud is the speed of NMEA 0183 itself, whose talkers take no
  /// orders.
  static let speeds = [38_400, 9_600, 115_200, 57_600, 230_400, 460_800, 921_600, 4_800]
  /// The least dwell at one speed.
  static let dwellMin = Interval.milliseconds(350)
  /// The dwell that contains an epoch of a receiver at 1 Hz.
  static let dwellStreaming = Interval.milliseconds(1_050)
  /// The time for the rest of a sentence that began within the dwell.
  static let bytesExtra = Interval.milliseconds(250)
  /// If the speed is right, a whole frame ends among this many bytes wherever they begin.
  ///
  /// Recordings begin with a few lines of text.
  static let bytesWithoutFrameMax = 2_048
  /// The time of the wake bytes, the request and the answer.
  private static let exchangeBytes: Int64 = 316
  /// A receiver answers behind the epoch that it is sending.
  private static let answerBytes: Int64 = 1_000
  private static let questionsMax = 2

  /// Starts a search on a line that is open at `speed`, which is tried first.
  init(speed: Int, others: [Int], at now: Instant) {
    speeds = [speed] + others.filter { $0 != speed }
    state = .listening(until: now + SearchMachine.dwell(at: speed), .plain)
  }

  /// The speed that is being tried.
  var speed: Int { speeds[place] }

  /// Whether this is the time between two rounds.
  var isPausing: Bool {
    if case .pausing = state { true } else { false }
  }

  /// Whether whole frames come at this speed.
  var isHearing: Bool {
    if case .hearing = state { true } else { false }
  }

  // MARK: Inputs

  mutating func speedChanged(at now: Instant) -> Action {
    if case .changing = state { listen(at: now) } else { .none }
  }

  mutating func speedRefused(at now: Instant) -> Action {
    if case .changing = state { advance(at: now) } else { .none }
  }

  /// Bytes came and were parsed.
  ///
  /// - Parameters:
  ///   - count: their number.
  ///   - isWithinFrame: whether they end with the beginning of a frame.
  ///   - now: the time.
  /// - Returns: the next order.
  mutating func bytesArrived(_ count: Int, isWithinFrame: Bool, at now: Instant) -> Action {
    isStreaming = true
    guard case .listening(let until, let patience) = state else { return .none }
    bytesHere += count
    if bytesHere >= SearchMachine.bytesWithoutFrameMax, !isWithinFrame { return advance(at: now) }
    let extra = max(
      SearchMachine.bytesExtra, SearchMachine.duration(ofBytes: 200, at: speed))
    switch patience {
    case .plain where until - now < extra:
      state = .listening(until: now + extra, .stretchedForBytes)
    case .untilBytes(let dwellEnd):
      state = .listening(until: max(dwellEnd, now + extra), .stretchedForBytes)
    case .plain, .stretchedForBytes: break
    }
    return .none
  }

  mutating func frameArrived(at now: Instant) -> Action {
    switch state {
    case .changing, .hearing: return .none
    case .listening, .pausing:
      state = .hearing(until: now + SearchMachine.answerMax(at: speed), questions: 1)
      return .ask
    }
  }

  /// - Parameters:
  ///   - effort: the multiple of polls on a damaged line.
  ///   - now: the time.
  /// - Returns: the next order.
  mutating func deadlineReached(
    _ effort: LineQuality.Effort = .plain, at now: Instant
  ) -> Action {
    guard nextDeadline <= now else { return .none }
    switch state {
    case .changing: return advance(at: now)
    case .listening:
      if !isStreaming { unheard.append(place) }
      return advance(at: now)
    case .hearing(_, let questions):
      guard questions < SearchMachine.questionsMax * effort.tries else { return .read }
      state = .hearing(
        until: now + SearchMachine.answerMax(at: speed), questions: questions + 1)
      return .ask
    case .pausing: return listen(at: now)
    }
  }

  var nextDeadline: Instant {
    switch state {
    case .changing(let until), .listening(let until, _), .hearing(let until, _),
      .pausing(let until):
      until
    }
  }

  // MARK: Steps

  private mutating func listen(at now: Instant) -> Action {
    bytesHere = 0
    let dwellEnd = now + SearchMachine.dwell(at: speed)
    state =
      isStreaming
      ? .listening(
        until: max(dwellEnd, now + SearchMachine.dwellStreaming), .untilBytes(dwellEnd: dwellEnd))
      : .listening(until: dwellEnd, .plain)
    return .ask
  }

  private mutating func advance(at now: Instant) -> Action {
    if let next = nextPlace() {
      place = next
      state = .changing(until: now + .seconds(2))
      return .change(speed)
    }
    place = 0
    frontier = 0
    unheard = []
    rounds += 1
    state = .pausing(until: now + SearchMachine.pause(after: rounds))
    return .pause(isFirst: rounds == 1)
  }

  /// The next speed: first the speeds that were left before any byte came, then the rest in their order.
  ///
  /// On a line that carries bytes, a speed that was left before the first byte is likelier than the rest.
  private mutating func nextPlace() -> Int? {
    if isStreaming, !unheard.isEmpty { return unheard.removeFirst() }
    guard frontier + 1 < speeds.count else { return nil }
    frontier += 1
    return frontier
  }

  private static func pause(after rounds: Int) -> Interval {
    switch rounds {
    case ...1: .seconds(2)
    case 2: .seconds(5)
    case 3: .seconds(10)
    default: .seconds(20)
    }
  }

  private static func dwell(at speed: Int) -> Interval {
    max(dwellMin, duration(ofBytes: exchangeBytes, at: speed) + .milliseconds(100))
  }

  private static func answerMax(at speed: Int) -> Interval {
    duration(ofBytes: answerBytes, at: speed) + .milliseconds(300)
  }

  private static func duration(ofBytes count: Int64, at speed: Int) -> Interval {
    Interval(nanoseconds: count * 10_000_000_000 / Int64(max(300, speed)))
  }
}
