import BinnacleBasics
import BinnacleModel

/// A last phase of some runs: for a while no client gets positions, so the receiver has to sleep and then wake soon.
struct SleepTrial: Sendable {
  /// The receiver's deviations from its documents.
  let oddities: [ReceiverOddity]
  private let minutes: Int64
  private let hasWire: Bool

  /// `PowerSettings.graceBeforeOff` of the engine, three commands, and the first short sleep with its wakeup.
  private static let untilAsleep = Interval.seconds(120)
  /// The wakeup, a hot start, an epoch, and the duration of disk calls.
  private static let untilFix = Interval.seconds(12)
  /// The longest sleep of a receiver that has not proved that it wakes.
  private static let firstSleepMax = Interval.seconds(60)
  /// The time from a wakeup to the next sleep; a poll that comes during an epoch at 9600 baud takes a second more.
  private static let onMax = Interval.seconds(5)
  private static let slowStartMax = Interval.seconds(2)

  /// Returns nil in most runs.
  ///
  /// - Parameters:
  ///   - hasWire: whether the pin EXTINT is wired; a receiver that ignores its line asleep reacts to the pin.
  ///   - random: determines all draws.
  init?(hasWire: Bool, random: inout Random) {
    guard random.chance(0.25) else { return nil }
    self.hasWire = hasWire
    let kinds: [ReceiverOddity] = [.ignoresSleep, .deafAsleep, .slowStart]
    oddities = random.chance(0.4) ? [kinds[Int(random.next() % 3)]] : []
    // The earlier ephemerides are younger than four hours at the next start.
    minutes = 1 + Int64(random.next() % 225)
  }

  func run<Tested: EngineUnderTest>(on board: inout SimulatedBoard<Tested>) {
    guard isQuiet(&board) else { return }
    board.switchServices(on: false)
    board.run(until: board.now + Self.untilAsleep + pauseAfterFailures(board))
    let wakes = hasWire || !oddities.contains(.deafAsleep)
    if !oddities.contains(.ignoresSleep), wakes {
      check(&board, "it does not sleep although no client wants positions", board.receiver.isAsleep)
      let on = board.receiver.timeOn(at: board.now)
      // The engine wakes the receiver once to test the wakeup.
      let onMax = Self.onMax + (oddities.contains(.slowStart) ? Self.slowStartMax : .zero)
      board.run(until: board.now + .seconds(minutes * 60))
      check(
        &board, "it does not go on sleeping", board.receiver.timeOn(at: board.now) - on < onMax
      )
    }
    // A receiver that restarts by itself during a wakeup looks like a receiver that wakes, and may then sleep for a
    // day.
    if !wakes, board.hasRestartedAsleep { return }
    let start = board.now
    board.switchServices(on: true)
    let patience =
      wakes ? Self.untilFix : Self.untilFix + Self.firstSleepMax
    // The engine finds a receiver that is deaf asleep in a round through the speeds, which may contain a pause of 20 s.
    let slack: Interval = wakes ? .zero : .seconds(45)
    board.run(until: start + patience + slack)
    let hasFix = board.checkers.steadyFixAt.map { $0 > start } ?? false
    check(&board, "no fix so soon after its sleep", hasFix)
  }

  /// The additional time that a receiver stays on after failed sleeps or wakeups during the faults (`PowerSettings`).
  ///
  /// After a failed sleep the pause is 10 s, and each further failure multiplies the pause by four, up to an hour.
  /// After a failed wakeup the pause is 10 min, and each further failure doubles the pause.
  private func pauseAfterFailures<Tested: EngineUnderTest>(_ board: SimulatedBoard<Tested>)
    -> Interval
  {
    func count(_ name: String) -> Int64 {
      if case .integer(let count)? = board.report[name] { count } else { 0 }
    }
    let deafCount = count("power.wakes_failed")
    let failureCount = deafCount + count("power.sleeps_refused") + count("power.wakes_by_itself")
    guard failureCount > 0 else { return .zero }
    let exponent = min(failureCount, 6) - 1
    return deafCount > 0
      ? .seconds(600) * (1 << exponent) : min(.seconds(10) * (1 << (2 * exponent)), .seconds(3_600))
  }

  /// Waits until the receiver is configured; returns false for a receiver that is only read.
  private func isQuiet<Tested: EngineUnderTest>(_ board: inout SimulatedBoard<Tested>) -> Bool {
    for _ in 0..<40 where board.checkers.violations.isEmpty {
      board.askForReport()
      if board.report[.receiverState] == "running",
        board.report[.servicesOn] == true, board.report[.wakeLineFault] == nil
      {
        return true
      }
      board.run(until: board.now + .seconds(1))
    }
    return false
  }

  private func check<Tested: EngineUnderTest>(
    _ board: inout SimulatedBoard<Tested>, _ rule: String, _ holds: Bool
  ) {
    if !holds, board.checkers.violations.isEmpty { board.checkers.fail(rule) }
  }
}
