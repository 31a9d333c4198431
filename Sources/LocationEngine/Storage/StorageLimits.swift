import BinnacleBasics
import StateLog

/// The budgets and capacities of the storage.
///
/// ``CommitClass`` has the delay of each class, ``RecordTable`` the limits of each type of record, and `DefaultsLimits`
/// the limits of apps' defaults.
enum StorageLimits {
  /// How long changes that the disk has refused wait before the next attempt.
  static let retryDelay = Interval.seconds(30)

  // MARK: The log of state

  /// Decisions that wait for the disk; further decisions fail at once.
  static let decisionsWaitingMax = 64
  /// How long a decision that takes away waits for the disk; it then has its effect without the disk's answer.
  static let denialPatience = Interval.seconds(2)
  /// Records of failed writes that are written again although their values are equal; the oldest beyond are forgotten.
  static let doubtfulMax = 1_024
  /// The most bytes of records that wait; beyond this size the oldest records of class `group` are dropped.
  static let waitingSizeMax = 131_072

  /// The most bytes of records while waiting updates are kept: 64 KiB of the log, or a quarter of a small one, stay free for
  /// decisions.
  static func sizeMaxWithWaitingUpdates(_ geometry: LogGeometry) -> Int {
    geometry.liveSizeMax - min(65_536, geometry.liveSizeMax / 4)
  }

  // MARK: An app's commits

  /// Commits that an app gets at once after a time without commits.
  static let appCommitBurst: Int64 = 60
  /// After the burst an app gets one commit in this time: at most 8,640 a day, 35 MB.
  static let appCommitPeriod = Interval.seconds(10)

  // MARK: An app's live updates

  /// Commits of an app's live updates that are made at once after a time without commits.
  static let sequencesCommitBurst: Int64 = 6
  /// After the burst, an app's live updates get one commit in this time.
  static let sequencesCommitPeriod = Interval.seconds(60)
  /// How long the log may hold live updates that have ended; a new start within this time costs no commit.
  static let sequencesEndingDelay = Interval.seconds(30)

  // MARK: The log of tracks

  /// Points that wait for a disk that fails; beyond this number the oldest points are dropped.
  static let trackPointsWaitingMax = 600
  /// Stretches that one commit removes; the removals and a new stretch fit into a block.
  static let trackRemovalsMax = 200
  /// How often stretches that are too old are removed while nothing is recorded.
  static let trackExpiryPeriod = Interval.seconds(86_400)
}
