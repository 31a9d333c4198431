import BinnacleBasics

/// Sends one receiver to sleep and wakes it, and verifies both.
///
///     awake --sleep--> ordered --silence--> asleep --wake, or its own time is up--> waking --a frame--> awake
///     ordered --it goes on sending, three orders long--> awake: it does not sleep
///     asleep --a frame--> awake: it woke by itself
///     waking --no frame, eight questions long--> gone: it does not wake
///     on a bus: asleep --wake--> listening --silence--> waking; --it has bytes to fetch--> awake: it did not sleep
///
/// The receiver does not acknowledge the order, and bytes after the order wake the receiver (`ublox.md` 5.2). So only
/// silence shows that it sleeps. The order always has a duration: some receivers never wake on the line, and wake at its
/// end.
///
/// A bus is not read meanwhile, because reading may wake the receiver (`ublox.md` 2). Whether the receiver slept is
/// checked before the wake-up: a sleeping receiver does not answer its address, and has no bytes to fetch.
/// woken: who sleeps does not answer its address, and has nothing to fetch.
struct SleepMachine: Equatable, Codable, Sendable {
  private(set) var state = State.awake

  enum State: Equatable, Codable, Sendable {
    case awake
    /// Ordered to sleep; silence is awaited.
    case ordered(Sleep, orders: Int, at: Instant)
    case asleep(Sleep)
    /// On a bus: whether it slept is being checked.
    case listening(since: Instant, until: Instant, hasHeard: Bool)
    /// Bytes before `since` were on their way when the order came. A receiver that was heard until the wake-up may never
    /// have slept: the order may be lost.
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
    /// The receiver was woken, and was heard after this time and this many questions; and whether it was seen to sleep
    /// before.
    case woken(after: Interval, questions: Int, hasSlept: Bool)
    /// The receiver was heard although no order had woken it.
    case byItself
    /// The receiver goes on sending.
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
    /// Make only the signal that wakes the receiver.
    case wake
    /// Wake the receiver and ask for its identity.
    case ask
    case ended(Ending)
  }

  /// An epoch at 9600 baud that was on its way when the order came may still end.
  private static let finishing = Interval.seconds(1)
  /// A receiver at 1 Hz that does not sleep has been heard by then.
  private static let settling = Interval.milliseconds(2_200)
  private static let ordersMax = 3
  /// The time from the edge to the first byte that the receiver understands: u-blox gives no number, drivers wait
  /// 500 ms (Meshtastic) to 2 s (ubxlib).
  private static let boot = Interval.milliseconds(350)
  private static let patience = Interval.milliseconds(500)
  /// A receiver that only the line wakes has sent a position by then, at 1 Hz, even if it starts slowly.
  private static let lineProof = Interval.milliseconds(3_200)
  /// The bus has been checked and read again by then.
  private static let listening = Interval.milliseconds(100)
  private static let questionsMax = 8
  /// How much later than its own time a receiver may wake.
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
  ///   - isProof: whether there is time to see that the line alone wakes the receiver.
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

  /// Bytes came; answers whether they are old bytes that a receiver which did not sleep had kept.
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
  ///   - listens: whether the machine must check whether the receiver sleeps before it wakes it.
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
