public import BinnacleBasics

/// Whether the board rests, since when, why, and by which numbers.
public struct MotionVerdict: Equatable, Codable, Sendable {
  public var isStationary: Bool
  /// When it became so.
  public var since: Instant
  public var reason: Reason
  /// The numbers of the newest hop.
  public var evidence: MotionEvidence

  /// What the verdict was changed by.
  public enum Reason: String, Equatable, CaseIterable, Codable, Sendable {
    /// Nothing has been judged yet.
    case start
    /// The credit has reached the dwell.
    case dwellReached
    /// The accelerometer was active for as long as the profile asks.
    case shaken
    /// The receiver says that it moves.
    case speed
    /// The receiver says that it is elsewhere.
    case displacement
    /// Neither has been heard for ten seconds.
    case blind
  }
}
