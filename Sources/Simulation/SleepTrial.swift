import BinnacleBasics
import BinnacleModel

/// The end of some runs: for a while nobody gets positions, so that the receiver has to sleep, and then to be back soon.
struct SleepTrial: Sendable {
  /// What the receiver does otherwise than its documents say.
  let oddities: [ReceiverOddity]
  private let minutes: Int64
  private let hasWire: Bool

  /// `GraceBeforeOff` of the engine, three orders, and the first short sleep with what wakes from it.
  private static let untilAsleep = Interval.seconds(120)
  /// Waking, a hot start, an epoch, and a disk that takes its time.
  private static let untilFix = Interval.seconds(12)
  /// The longest that a receiver sleeps which has not shown that it wakes.
  private static let firstSleepMax = Interval.seconds(60)
  /// From being woken until it sleeps again; a question that comes during an epoch at 9600 baud takes a second more.
  private static let onMax = Interval.seconds(5)
  private static let slowStartMax = Interval.seconds(2)

  /// nil in most runs.
  ///
  /// - Parameters:
  ///   - hasWire: whether the pin EXTINT is wired: a receiver that is deaf on its line hears that.
  ///   - random: draws everything.
  init?(hasWire: Bool, random: inout Random) {
    guard random.chance(0.25) else { return nil }
    self.hasWire = hasWire
    let kinds: [ReceiverOddity] = [.ignoresSleep, .deafAsleep, .slowStart]
    oddities = random.chance(0.4) ? [kinds[Int(random.next() % 3)]] : []
    // Ephemerides of before are younger than four hours then.
    minutes = 1 + Int64(random.next() % 225)
  }

  func run<Tested: EngineUnderTest>(on board: inout SimulatedBoard<Tested>) {
    guard isQuiet(&board) else { return }
    board.switchServices(on: false)
    board.run(until: board.now + Self.untilAsleep + pauseAfterFailures(board))
    let wakes = hasWire || !oddities.contains(.deafAsleep)
    if !oddities.contains(.ignoresSleep), wakes {
      check(&board, "it does not sleep although nobody wants positions", board.receiver.isAsleep)
      let on = board.receiver.timeOn(at: board.now)
      // The engine wakes it once to see that it wakes.
      let onMax = Self.onMax + (oddities.contains(.slowStart) ? Self.slowStartMax : .zero)
      board.run(until: board.now + .seconds(minutes * 60))
      check(
        &board, "it does not go on sleeping", board.receiver.timeOn(at: board.now) - on < onMax
      )
    }
    // A receiver that starts anew by itself while it is being woken looks like one that wakes, and may sleep for a day then.
    if !wakes, board.hasRestartedAsleep { return }
    let start = board.now
    board.switchServices(on: true)
    let patience =
      wakes ? Self.untilFix : Self.untilFix + Self.firstSleepMax
    // Who is deaf asleep is found in a round through the speeds, which may have a pause of 20 s.
    let slack: Interval = wakes ? .zero : .seconds(45)
    board.run(until: start + patience + slack)
    let hasFix = board.checkers.steadyFixAt.map { $0 > start } ?? false
    check(&board, "no fix so soon after its sleep", hasFix)
  }

  /// How much longer a receiver stays on that did not sleep, or did not wake, while there were faults (`PowerSettings`).
  ///
  /// After a sleep that went wrong the pause is 10 s, each time four times longer, an hour at most; after a receiver that did not wake it is
  /// 10 min, each time twice longer.
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

  /// Lets the receiver be set up; false for one that is only read.
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
