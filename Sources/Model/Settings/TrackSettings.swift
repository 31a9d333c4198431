public import BinnacleBasics

/// `[Track]` of the board's profile: how exactly, how often and how long positions are kept.
public struct TrackSettings: Equatable, Codable, Sendable {
  /// How exactly places are kept.
  public enum Accuracy: String, CaseIterable, Codable, Sendable {
    /// As the receiver reports them.
    case full
    /// As centers of cells of about 5 km, at most every 15 minutes, without height, speed and course.
    case reduced
  }

  /// `Track`: how exactly.
  public var accuracy: Accuracy
  /// `Period`: the least time between two points.
  public var period: Interval
  /// `Days`: older points are removed.
  public var daysKept: Int

  public init(accuracy: Accuracy, period: Interval = .seconds(1), daysKept: Int = 7) {
    self.accuracy = accuracy
    self.period = period
    self.daysKept = daysKept
  }
}
