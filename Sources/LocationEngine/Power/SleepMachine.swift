import BinnacleBasics

/// Sends one receiver to sleep and wakes it, and verifies both.
///
///     awake --sleep--> ordered --silence--> asleep --wake, or its own time is up--> waking --a frame--> awake
///     ordered --it keeps sending after three orders--> awake: it does not sleep
///     asleep --a frame--> awake: it woke by itself
///     waking --no frame after eight polls--> gone: it does not wake
///     on a bus: asleep --wake--> listening --silence--> waking; --it has bytes to fetch--> awake: it did not sleep
///
/// The receiver does not acknowledge the order, and bytes after the order wake the receiver (Docs/SOURCES.md, U5). Only
/// silence shows that the receiver sleeps. The order always has a duration: some receivers do not wake on the line, and
/// wake only at the end of the duration.
///
/// A bus is not read during a sleep, because reading may wake the receiver (Docs/SOURCES.md, U2). Before the wake-up
/// the machine checks whether the receiver slept: a sleeping receiver does not answer its address, and has no bytes to
/// fetch.
struct SleepMachine: Equatable, Codable, Sendable {
  private(set) var state = State.awake

  enum State: Equatable, Codable, Sendable {
    case awake
    /// Ordered to sleep; silence is awaited.
    case ordered(Sleep, orders: Int, at: Instant)
    case asleep(Sleep)
    /// On a bus: the machine checks whether the receiver slept.
    case listening(since: Instant, until: Instant, hasHeard: Bool)
    /// Frames that arrive before `since` were on their way when the order was given.
    ///
    /// A receiver that was heard until the wake-up may never have slept: the order may be lost.
    case waking(since: Instant, questions: Int, until: Instant, hasSlept: Bool)
  }

  /// A sleep as ordered.
  struct Sleep: Equatable, Codable, Sendable {
    let since: Instant
    let duration: Interval

    /// When the receiver wakes by itself.
    var end: Instant { since + duration }
  }

  /// The end of a sleep.
  enum Ending: Equatable, Sendable {
    /// The receiver was woken.
    ///
    /// `after` is the time until the first frame and `questions` the number of polls until then. `hasSlept` is whether
    /// silence had shown that the receiver slept.
    case woken(after: Interval, questions: Int, hasSlept: Bool)
    /// The receiver was heard although no order had woken it.
    case byItself
    /// The receiver keeps sending.
    case refused
    /// The receiver does not answer.
    case gone
  }

  enum Action: Equatable, Sendable {
    case none
    /// Write the order to sleep for this long.
    case order(Interval)
    /// Check whether the receiver sleeps.
    case listen
    /// Give only the signal that wakes the receiver.
    case wake
    /// Wake the receiver and poll its identity.
    case ask
    case ended(Ending)
  }

  /// The rest of an epoch at 9600 baud that was on its way when the order was given.
  private static let finishing = Interval.seconds(1)
  /// A receiver at 1 Hz that does not sleep sends a frame within this time.
  private static let settling = Interval.milliseconds(2_200)
  private static let ordersMax = 3
  /// The time from the edge to the first byte that the receiver understands.
  ///
  /// u-blox gives no number; drivers wait 500 ms (Meshtastic) to 2 s (ubxlib).
  private static let boot = Interval.milliseconds(350)
  private static let patience = Interval.milliseconds(500)
  /// A receiver that wakes by the line alone sends a position within this time, at 1 Hz, even if it starts slowly.
  private static let lineProof = Interval.milliseconds(3_200)
  /// The bus has been checked and read again within this time.
  private static let listening = Interval.milliseconds(100)
  private static let questionsMax = 8
  /// How much later than the end of its timer a receiver may wake.
  private static let lateness = Interval.seconds(2)

  var isAwake: Bool { state == .awake }

  // MARK: Inputs

  mutating func fallAsleep(for duration: Interval, at now: Instant) -> Action {
    guard isAwake else { return .none }
    state = .ordered(Sleep(since: now, duration: duration), orders: 1, at: now)
    return .order(duration)
  }

  /// - Parameters:
  ///   - listens: whether the machine must check first whether the receiver sleeps, as on a bus.
  ///   - isProof: whether the machine waits long enough to test that the line alone wakes the receiver.
  ///   - now: the time.
  /// - Returns: the orders.
  mutating func wake(listens: Bool, isProof: Bool, at now: Instant) -> Action {
    var since = now
    var hasSlept = true
    switch state {
    case .awake, .listening, .waking: return .none
    case .ordered(_, _, let at):
      since = max(now, at + SleepMachine.finishing)
      hasSlept = false
    case .asleep: break
    }
    if listens { return listen(at: now) }
    let patience = isProof ? SleepMachine.lineProof : SleepMachine.boot
    state = .waking(since: since, questions: 0, until: since + patience, hasSlept: hasSlept)
    return .wake
  }

  private mutating func listen(at now: Instant) -> Action {
    state = .listening(since: now, until: now + SleepMachine.listening, hasHeard: false)
    return .listen
  }

  /// Bytes came; returns whether they are old bytes, which a receiver that did not sleep has kept.
  mutating func bytesArrived(at now: Instant) -> Bool {
    guard case .listening(let since, _, _) = state else { return false }
    state = .listening(since: since, until: now + SleepMachine.listening, hasHeard: true)
    return true
  }

  /// A whole frame came.
  mutating func frameArrived(at now: Instant) -> Action {
    switch state {
    case .awake, .ordered, .listening: return .none
    case .asleep:
      state = .awake
      return .ended(.byItself)
    case .waking(let since, _, _, _) where now < since: return .none
    case .waking(let since, let questions, _, let hasSlept):
      state = .awake
      return .ended(.woken(after: now - since, questions: questions, hasSlept: hasSlept))
    }
  }

  /// - Parameters:
  ///   - lastFrame: when the last whole frame came.
  ///   - listens: whether the machine must check first whether the receiver sleeps, as on a bus.
  ///   - now: the time.
  /// - Returns: the orders.
  mutating func deadlineReached(lastFrame: Instant, listens: Bool, at now: Instant) -> Action {
    guard let due = nextDeadline, due <= now else { return .none }
    switch state {
    case .awake: return .none
    case .ordered(let sleep, let orders, let at):
      if lastFrame <= at + SleepMachine.finishing {
        state = .asleep(sleep)
        return .none
      }
      guard orders < SleepMachine.ordersMax else {
        state = .awake
        return .ended(.refused)
      }
      state = .ordered(
        Sleep(since: now, duration: sleep.duration), orders: orders + 1, at: now)
      return .order(sleep.duration)
    case .asleep:
      if listens { return listen(at: now) }
      // The receiver should have woken, and is silent.
      state = .waking(
        since: now, questions: 0, until: now + SleepMachine.boot, hasSlept: true)
      return .wake
    case .listening(let since, _, let hasHeard):
      if hasHeard {
        state = .awake
        return .ended(.refused)
      }
      state = .waking(
        since: since, questions: 0, until: now + SleepMachine.boot, hasSlept: true)
      return .wake
    case .waking(let since, let questions, _, let hasSlept):
      guard questions < SleepMachine.questionsMax else {
        state = .awake
        return .ended(.gone)
      }
      state = .waking(
        since: since, questions: questions + 1, until: now + SleepMachine.patience,
        hasSlept: hasSlept)
      return .ask
    }
  }

  var nextDeadline: Instant? {
    switch state {
    case .awake: nil
    case .ordered(_, _, let at): at + SleepMachine.settling
    case .asleep(let sleep): sleep.end + SleepMachine.lateness
    case .listening(_, let until, _): until
    case .waking(_, _, let until, _): until
    }
  }
}
