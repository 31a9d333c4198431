import BinnacleBasics

/// Moves receiver and line to another speed, and back if the receiver does not answer at the new speed.
///
///     ordering --drained--> settling --100 ms--> switching --changed--> asking --answer--> raised
///     asking --2 x silence--> returning --changed--> asking below --answer--> stayed
///     asking below --2 x silence--> lost
///     ordering --NAK--> stayed
///
/// The receiver acknowledges the order at the old speed, at the new speed or not at all. The machine therefore waits
/// for no acknowledgement.
struct BaudRateMachine: Equatable, Codable, Sendable {
  let from: Int
  let to: Int
  private var state: State

  private enum State: Equatable, Codable, Sendable {
    case ordering(until: Instant)
    case settling(until: Instant)
    case switching(until: Instant)
    case asking(tries: Int, until: Instant)
    case returning(until: Instant)
    case askingBelow(tries: Int, until: Instant)
  }

  enum Action: Equatable, Sendable {
    case none
    case change(Int)
    case ask
    /// Receiver and line are at the new speed.
    case raised
    /// Receiver and line are at the old speed.
    case stayed(why: String)
    /// The receiver answers at neither speed.
    case lost
  }

  private static let patience = Interval.milliseconds(1_200)
  private static let changeMax = Interval.seconds(3)

  /// The order to the receiver has just been written.
  init(from: Int, to: Int, at now: Instant) {
    self.from = from
    self.to = to
    state = .ordering(until: now + .seconds(2))
  }

  mutating func drained(at now: Instant) -> Action {
    guard case .ordering = state else { return .none }
    state = .settling(until: now + .milliseconds(100))
    return .none
  }

  mutating func refused() -> Action {
    switch state {
    case .ordering, .settling: .stayed(why: "it refuses \(to) baud")
    case .switching, .asking, .returning, .askingBelow: .none
    }
  }

  mutating func speedChanged(at now: Instant) -> Action {
    switch state {
    case .switching:
      state = .asking(tries: 1, until: now + BaudRateMachine.patience)
      return .ask
    case .returning:
      state = .askingBelow(tries: 1, until: now + BaudRateMachine.patience)
      return .ask
    case .ordering, .settling, .asking, .askingBelow:
      return .none
    }
  }

  mutating func speedRefused(at now: Instant) -> Action {
    switch state {
    case .switching: return giveUp(at: now)
    case .returning: return .lost
    case .ordering, .settling, .asking, .askingBelow: return .none
    }
  }

  mutating func answered() -> Action {
    switch state {
    case .asking: .raised
    case .askingBelow: .stayed(why: "no answer at \(to) baud")
    case .ordering, .settling, .switching, .returning: .none
    }
  }

  /// - Parameters:
  ///   - triesMax: the number of polls at each speed.
  ///   - now: the time.
  /// - Returns: the next order.
  mutating func deadlineReached(tries triesMax: Int = 2, at now: Instant) -> Action {
    guard nextDeadline <= now else { return .none }
    switch state {
    case .ordering:
      state = .settling(until: now + .milliseconds(100))
      return .none
    case .settling:
      state = .switching(until: now + BaudRateMachine.changeMax)
      return .change(to)
    case .switching: return giveUp(at: now)
    case .asking(let tries, _):
      guard tries < triesMax else { return giveUp(at: now) }
      state = .asking(tries: tries + 1, until: now + BaudRateMachine.patience)
      return .ask
    case .returning: return .lost
    case .askingBelow(let tries, _):
      guard tries < triesMax else { return .lost }
      state = .askingBelow(tries: tries + 1, until: now + BaudRateMachine.patience)
      return .ask
    }
  }

  var nextDeadline: Instant {
    switch state {
    case .ordering(let until), .settling(let until), .switching(let until), .asking(_, let until),
      .returning(let until), .askingBelow(_, let until):
      until
    }
  }

  private mutating func giveUp(at now: Instant) -> Action {
    state = .returning(until: now + BaudRateMachine.changeMax)
    return .change(from)
  }
}
