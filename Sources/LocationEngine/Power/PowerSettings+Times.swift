import BinnacleBasics
import BinnacleModel

/// The times of the receiver's power that no profile sets.
extension PowerSettings {
  /// The navigation rate while the board rests.
  static let restRateHz = 1
  /// The rate is lowered after this time at rest, at most once in the pause below, so short rests cost no orders.
  static let calmAfter = Interval.seconds(10)
  static let calmPause = Interval.seconds(60)
  /// Without an accelerometer: the times after which the receiver checks whether the board is still at its place.
  static let probePauses: [Interval] = [.seconds(60), .seconds(120), .seconds(300)]
  /// The number of fixes for a check of the place.
  static let probeFixes = 3
  static let probeMax = Interval.seconds(10)
  /// Half of the validity of ephemerides (Docs/SOURCES.md, U5).
  static let refreshPeriod = Interval.seconds(7_200)
  /// An ephemeris takes 18 s to 36 s (Docs/SOURCES.md, U5), and the start of the receiver takes some seconds.
  static let refreshDuration = Interval.seconds(39)
  /// How long the receiver stays on after a sign of motion.
  static let movementCheckMax = Interval.seconds(60)
  /// The time between two checks after signs of motion; it doubles until its limit passes without a sign of motion.
  static let movementPauseMin = Interval.seconds(30)
  static let movementPauseMax = Interval.seconds(900)
  /// The sleep after a search without a signal.
  static let searchPauses: [Interval] = [1, 2, 4, 8, 15].map { .seconds($0 * 60) }
  /// How long the receiver searches after a sleep without a signal.
  static let searchAgain = Interval.seconds(60)
  /// The first sleep of a receiver is short, because no sleep has shown yet that the receiver wakes.
  static let proofAfter = Interval.seconds(30)
  static let proofDuration = Interval.seconds(60)
  /// The longest sleep.
  static let sleepMax = Interval.seconds(86_400)
  /// The longest sleep of a receiver that only a line wakes, since the line may be lost during the sleep.
  static let lineSleepMax = Interval.seconds(7_200)
  /// The receiver's own timer ends its sleep this much later than the daemon's order.
  static let ownTimer = Interval.seconds(5)
  /// The wait after a failed sleep; each failure in a row makes the wait four times longer.
  static let failurePauseMin = Interval.seconds(10)
  static let failurePauseMax = Interval.seconds(3_600)
  /// The wait after a failed wake-up; each failure in a row makes the wait twice as long.
  static let deafPauseMin = Interval.seconds(600)
  static let deafPauseMax = Interval.seconds(86_400)
}
