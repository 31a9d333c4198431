public import BinnacleBasics

/// Whether the board rests, since when, why, and by which numbers.
public struct MotionVerdict: Equatable, Codable, Sendable {
  public var isStationary: Bool
  /// When it became so.
  public var since: Instant
  public var reason: Reason
  /// The numbers of the newest hop.
  public var evidence: MotionEvidence

  /// The cause of the verdict.
  public enum Reason: String, Equatable, CaseIterable, Codable, Sendable {
    /// Nothing has been judged yet.
    case start
    /// The credit has reached the dwell.
    case dwellReached
    /// The accelerometer was active for as long as the profile asks.
    case shaken
    /// The receiver reports motion.
    case speed
    /// The receiver reports another place.
    case displacement
    /// Neither has been heard for ten seconds.
    case blind
  }
}
