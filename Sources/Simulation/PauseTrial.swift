import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The end of runs in which updates pause soon: when they do, and the receiver sleeps, the power goes or the daemon dies.
///
/// Where the body rests on, whoever stays to the end has to be told so once more, and nothing else.
struct PauseTrial: Sendable {
  private let strike: StatePlan.Action

  /// Until updates pause, the receiver sleeps and the disk has it.
  private static let untilAsleep = Interval.seconds(90)
  /// A search of all speeds, a configuration at 9600 baud and a hot start.
  private static let untilTold = Interval.seconds(60)

  /// nil in runs whose updates pause late.
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
