import Basics

/// Finds the speed at which a receiver answers.
///
/// It goes through the speeds once a round: last good first, then those that receivers are delivered with. Only
/// an answer to our own request counts as found; whole frames without an answer make a speed one to read from.
///
///     changing --speed changed--> listening --time is up--> changing to the next speed
///     listening --first whole frame--> listening longer, asked again
///     listening at the last speed --time is up--> settled for reading, or pausing
///     pausing --whole frame, time is up--> the next round
///
/// On a line that is silent a round takes about 3 s. Once bytes have come, at whatever speed, the line belongs to a
/// receiver that sends on its own, once a second as it left the works: at each speed its next epoch is waited
/// for, and the speeds that were tried between two epochs are tried again, which takes about 8 s. Whole frames at
/// two speeds mean that the line does not care for its speed: the round ends there.
struct SearchMachine: Equatable, Codable, Sendable {
  private let speeds: [Int]
  private var place = 0
  /// The last place of those that come in order.
  private var frontier = 0
  /// Places that were left before any byte had come at any speed.
  private var unheard: [Int] = []
  private var isStreaming = false
  private var state: State
  private var framesHere = 0
  private var speedsWithFrames: [Int] = []
  private(set) var rounds = 0

  private enum State: Equatable, Codable, Sendable {
    case changing(until: Instant)
    case listening(until: Instant, Patience)
    case pausing(until: Instant)
  }

  /// How far the time at one speed was stretched.
  private enum Patience: Equatable, Codable, Sendable {
    case plain
    /// The line streams: its next epoch is waited for, and then what the speed takes.
    case untilBytes(dwellEnd: Instant)
    case stretchedForBytes
    case stretchedForFrames
  }

  enum Action: Equatable, Sendable {
    case none
    case change(Int)
    /// Wake the receiver and ask it who it is.
    case ask
    /// Nobody answers, but at this speed there are frames to read.
    case read(speed: Int, lineIgnoresSpeed: Bool)
    /// Nothing was found in a whole round.
    case pause(isFirst: Bool)
  }

  /// In the order in which they are tried; receivers leave the works at 38400 or 9600.
  static let speeds = [38_400, 9_600, 115_200, 57_600, 230_400, 460_800, 921_600]
  /// The least time at one speed.
  static let dwellMin = Interval.milliseconds(350)
  /// How long a streaming receiver at 9600 baud may need until it gets to its answer.
  static let streamingExtra = Interval.milliseconds(1_200)
  /// The time at one speed that holds an epoch of a receiver which sends one each second.
  static let dwellStreaming = Interval.milliseconds(1_050)
  /// What lets a sentence end that began within the time.
  static let bytesExtra = Interval.milliseconds(250)
  /// Wake bytes and request out, and an answer in.
  private static let exchangeBytes: Int64 = 316

  /// Starts a search on a line that is open at `speed`, which is tried first.
  init(speed: Int, others: [Int], at now: Instant) {
    speeds = [speed] + others.filter { $0 != speed }
    state = .listening(until: now + SearchMachine.dwell(at: speed), .plain)
  }

  /// The speed that is being tried.
  var speed: Int { speeds[place] }

  /// Whether this is the time between two rounds.
  var isPausing: Bool {
    switch state {
    case .pausing: true
    case .changing, .listening: false
    }
  }

  // MARK: Inputs

  mutating func speedChanged(at now: Instant) -> Action {
    switch state {
    case .changing:
      return listen(at: now)
    case .listening, .pausing:
      return .none
    }
  }

  mutating func speedRefused(at now: Instant) -> Action {
    switch state {
    case .changing: advance(at: now)
    case .listening, .pausing: .none
    }
  }

  mutating func bytesArrived(at now: Instant) {
    isStreaming = true
    switch state {
    case .listening(let until, .plain) where until - now < SearchMachine.bytesExtra:
      state = .listening(until: now + SearchMachine.bytesExtra, .stretchedForBytes)
    case .listening(_, .untilBytes(let dwellEnd)):
      state = .listening(
        until: max(dwellEnd, now + SearchMachine.bytesExtra), .stretchedForBytes)
    case .changing, .listening, .pausing: return
    }
  }

  mutating func frameArrived(at now: Instant) -> Action {
    switch state {
    case .changing: return .none
    case .pausing: return listen(at: now)
    case .listening(let until, let patience):
      framesHere = min(framesHere + 1, 1_000)
      switch patience {
      case .plain, .untilBytes, .stretchedForBytes:
        state = .listening(
          until: max(until, now + SearchMachine.streamingExtra), .stretchedForFrames)
        return .ask
      case .stretchedForFrames: return .none
      }
    }
  }

  mutating func deadlineReached(at now: Instant) -> Action {
    guard nextDeadline <= now else { return .none }
    switch state {
    case .changing: return advance(at: now)
    case .listening: return leave(at: now)
    case .pausing: return listen(at: now)
    }
  }

  var nextDeadline: Instant {
    switch state {
    case .changing(let until), .listening(let until, _), .pausing(let until): until
    }
  }

  // MARK: Steps

  private mutating func listen(at now: Instant) -> Action {
    framesHere = 0
    let dwellEnd = now + SearchMachine.dwell(at: speed)
    state =
      isStreaming
      ? .listening(
        until: max(dwellEnd, now + SearchMachine.dwellStreaming), .untilBytes(dwellEnd: dwellEnd))
      : .listening(until: dwellEnd, .plain)
    return .ask
  }

  private mutating func leave(at now: Instant) -> Action {
    if framesHere >= 2 {
      speedsWithFrames.append(speed)
      if speedsWithFrames.count >= 2 || speeds.count == 1 {
        return .read(speed: speed, lineIgnoresSpeed: speeds.count > 1)
      }
    }
    if !isStreaming { unheard.append(place) }
    return advance(at: now)
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
    if let readable = speedsWithFrames.first {
      return .read(speed: readable, lineIgnoresSpeed: false)
    }
    rounds += 1
    state = .pausing(until: now + SearchMachine.pause(after: rounds))
    return .pause(isFirst: rounds == 1)
  }

  /// The speeds in their order, then those that deserve another turn.
  private mutating func nextPlace() -> Int? {
    if frontier + 1 < speeds.count {
      frontier += 1
      return frontier
    }
    return isStreaming && !unheard.isEmpty ? unheard.removeFirst() : nil
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
    let exchange = Interval(nanoseconds: exchangeBytes * 10_000_000_000 / Int64(max(300, speed)))
    return max(dwellMin, exchange + .milliseconds(100))
  }
}
