public import BinnacleBasics

/// When the receiver sleeps, and for how long.
public struct PowerSettings: Equatable, Codable, Sendable {
  /// `Sleep=` of `[Receiver]`: whether it sleeps at all.
  public var sleeps = true
  /// `RestBeforeSleep`: how long it stays on when all updates pause; they go on at once then.
  public var restBeforeSleep = Interval.seconds(60)
  /// `SearchBudget`: how long it searches without any satellite signal.
  public var searchBudget = Interval.seconds(300)
  /// How long it stays on when nobody wants positions any more.
  public var graceBeforeOff = Interval.seconds(60)

  /// Whether a line is wired to the receiver's pin EXTINT.
  public var hasWakeLine = false

  public init() {}

  /// A receiver that rests navigates so often.
  static let restRateHz = 1
  /// It is told so when it has rested for so long, and so long after it was told last: short rests cost no orders.
  static let calmAfter = Interval.seconds(10)
  static let calmPause = Interval.seconds(60)
  /// Without an accelerometer: after how long it is looked whether the board is still there.
  static let probePauses: [Interval] = [.seconds(60), .seconds(120), .seconds(300)]
  /// So many fixes tell.
  static let probeFixes = 3
  static let probeMax = Interval.seconds(10)
  /// Half of what ephemerides last (`ublox.md` 5.2).
  static let refreshPeriod = Interval.seconds(7_200)
  /// An ephemeris takes 18 s to 36 s (`ublox.md` 5.2), and the start before it a few.
  static let refreshDuration = Interval.seconds(39)
  /// How long it stays on while something stirs.
  static let stirringMax = Interval.seconds(60)
  /// From one such look to the next; each time twice longer, until nothing has stirred for as long as the longest.
  static let stirringPauseMin = Interval.seconds(30)
  static let stirringPauseMax = Interval.seconds(900)
  /// What it sleeps when nothing is heard.
  static let searchPauses: [Interval] = [1, 2, 4, 8, 15].map { .seconds($0 * 60) }
  /// How long it searches again after such a sleep.
  static let searchAgain = Interval.seconds(60)
  /// The first sleep of a receiver is short: whether it wakes is not known.
  static let proofAfter = Interval.seconds(30)
  static let proofDuration = Interval.seconds(60)
  /// At the longest it sleeps so long.
  static let sleepMax = Interval.seconds(86_400)
  /// One that only a line wakes comes back so soon, should the line be lost meanwhile.
  static let lineSleepMax = Interval.seconds(7_200)
  /// So much later than it is woken it would come back by itself.
  static let ownTimer = Interval.seconds(5)
  /// After a sleep that went wrong it is tried again, each time four times later.
  static let failurePauseMin = Interval.seconds(10)
  static let failurePauseMax = Interval.seconds(3_600)
  /// After it did not wake, each time twice later.
  static let deafPauseMin = Interval.seconds(600)
  static let deafPauseMax = Interval.seconds(86_400)
}
