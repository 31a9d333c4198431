public import BinnacleModel
public import BinnacleText

/// The values that a view of the board shows, as the daemon has last sent them.
public struct BoardSnapshot: Sendable {
  /// The most lines of the log that are kept.
  public static let logMax = 200

  /// The name of the board.
  public var board: String
  /// The time of the view, for the title.
  public var time: String
  /// nil: no daemon, or no answer yet.
  public var report: Report?
  /// nil: unknown, for the reason in `skyAbsence`.
  public var sky: Sky?
  public var skyAbsence: String?
  /// The apps, each with what it gets and why; nil before the first answer.
  public var apps: [AppReasons]?
  public var appsAbsence: String?
  /// The open requests of apps.
  public var requests: [Report] = []
  /// The latest lines of the daemon's log.
  public private(set) var log: [Report] = []
  /// The number of lines that the log has had since the view began.
  public private(set) var logCount = 0
  public var logAbsence: String?
  /// The daemon's absence or silence as a sentence; nil while it answers.
  public var absence: String?

  /// Whether the daemon has answered for each part of the view.
  public var isWhole: Bool {
    report != nil && (sky != nil || skyAbsence != nil) && apps != nil
  }

  public init(board: String, time: String) {
    self.board = board
    self.time = time
  }

  /// Takes further lines of the log.
  public mutating func addLog(_ rows: [Report]) {
    log = Array((log + rows).suffix(BoardSnapshot.logMax))
    logCount += rows.count
  }

  /// Drops the lines, because the daemon sends its latest lines again.
  public mutating func restartLog() { log = [] }

  /// Drops all values: the daemon has gone, and its last values are no longer true.
  ///
  /// The lines of the log stay, because they are of the past.
  public mutating func forgetValues() {
    report = nil
    (sky, skyAbsence) = (nil, nil)
    (apps, appsAbsence) = (nil, nil)
    requests = []
    logAbsence = nil
  }
}
