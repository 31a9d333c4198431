public import BinnacleBasics

/// Whether the board rests, with the time, the cause and the values of the verdict.
public struct MotionVerdict: Equatable, Codable, Sendable {
  public var isStationary: Bool
  /// The time of the last change.
  public var since: Instant
  public var reason: Reason
  /// The values of the newest hop.
  public var evidence: MotionEvidence

  /// The cause of the verdict.
  public enum Reason: String, Equatable, CaseIterable, Codable, Sendable {
    /// There is no verdict yet.
    case start
    /// The accumulated rest has reached the dwell.
    case dwellReached
    /// The accelerometer was active for the time in the profile.
    case shaken
    /// The receiver reports motion.
    case speed
    /// The receiver reports another place.
    case displacement
    /// Neither sensor has sent data for ten seconds.
    case blind
  }
}
