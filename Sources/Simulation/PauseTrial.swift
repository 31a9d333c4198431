import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The last phase of runs in which updates pause soon: the power fails or the daemon dies during the pause.
///
/// The fault comes when the receiver sleeps. If the body rests on, the client that stays to the end has to get the
/// pause once more, and no other update.
struct PauseTrial: Sendable {
  private let strike: StatePlan.Action

  /// The time until updates pause, the receiver sleeps, and the disk has recorded the pause.
  private static let untilAsleep = Interval.seconds(90)
  /// A search of all speeds, a configuration at 9600 baud and a hot start.
  private static let untilTold = Interval.seconds(60)

  /// Returns nil in runs whose updates pause late.
  init?(dwells: DwellSettings, seed: UInt64) {
    guard dwells != DwellSettings() else { return nil }
    strike = seed % 2 == 0 ? .cutPower(seed: seed) : .killDaemon
  }

  func run<Tested: EngineUnderTest>(on board: inout SimulatedBoard<Tested>) {
    board.run(until: board.now + Self.untilAsleep)
    guard board.checkers.violations.isEmpty, board.checkers.isSteadyPaused else { return }
    board.strike(strike)
    let end = board.now + Self.untilTold
    while board.checkers.violations.isEmpty, board.now < end, !board.checkers.isSteadyPaused {
      board.run(until: board.now + .seconds(1))
    }
  }
}
