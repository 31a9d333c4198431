public import BinnacleBasics

/// `[Track]` of the board's profile: the accuracy, the interval and the retention of positions.
public struct TrackSettings: Equatable, Codable, Sendable {
  /// The accuracy of recorded positions.
  public enum Accuracy: UInt8, CaseIterable, Codable, Sendable {
    /// Positions as the receiver reports them.
    case full = 0
    /// Centers of cells of about 5 km, at most every 15 minutes, without altitude, speed and course.
    case reduced = 1
  }

  /// `Track`: the accuracy.
  public var accuracy: Accuracy
  /// `Period`: the least time between two points.
  public var period: Interval
  /// `Days`: points that are older are removed.
  public var daysKept: Int

  public init(accuracy: Accuracy, period: Interval = .seconds(1), daysKept: Int = 7) {
    self.accuracy = accuracy
    self.period = period
    self.daysKept = daysKept
  }

  /// The least time between two recorded points.
  var spacing: Interval {
    switch accuracy {
    case .full: period
    case .reduced: max(period, CoarseCell.periodMin)
    }
  }
}
