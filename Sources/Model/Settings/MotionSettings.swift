/// `[Motion]` of the board's profile: when updates pause because the board rests, and how readily updates resume.
public struct MotionSettings: Equatable, Codable, Sendable {
  /// `Profile`: how readily a rest ends.
  public var readiness = Readiness.default
  /// The times of rest before updates pause.
  public var dwells = DwellSettings()

  /// How readily a rest ends.
  public enum Readiness: String, CaseIterable, Codable, Sendable {
    /// After half a second of motion.
    case `default`
    /// After one and a half seconds: for occupied cars, and where each waking costs.
    case quiet
  }

  public init() {}
}
