/// Why a navigation solution is not delivered; the order of the cases is the order of the checks.
public enum Rejection: UInt8, CaseIterable, Codable, Sendable {
  /// The receiver has no fix: no position, dead reckoning alone, or time only.
  case noFix = 0
  /// The receiver has a position that does not meet its own limits (gnssFixOK is not set).
  case notQualified = 1
  /// A fix is claimed and no position came with it.
  case positionMissing = 2
  /// Latitude or longitude is out of range, or both are exactly zero.
  case positionInvalid = 3
  /// The horizontal accuracy is unknown or zero.
  case accuracyUnknown = 4
  /// Date and time are not valid, not confirmed where the receiver can confirm them, or known to a second
  /// only: the fix waits for its time.
  case timeUnresolved = 5
  /// The time is not after that of the fix before.
  case timeBackwards = 6
  /// The way from the fix before is farther than the dynamic model and the uncertainties allow.
  case jump = 7

  /// The word for the report: the last part of a name.
  var name: String {
    switch self {
    case .noFix: "no_fix"
    case .notQualified: "not_qualified"
    case .positionMissing: "position_missing"
    case .positionInvalid: "position_invalid"
    case .accuracyUnknown: "accuracy_unknown"
    case .timeUnresolved: "time_unresolved"
    case .timeBackwards: "time_backwards"
    case .jump: "jump"
    }
  }
}

/// How many solutions were rejected for each cause.
public struct RejectionCounts: Equatable, Codable, Sendable {
  private var counts = [Int](repeating: 0, count: Rejection.allCases.count)

  public subscript(_ cause: Rejection) -> Int {
    counts[Int(cause.rawValue)]
  }

  mutating func count(_ cause: Rejection) {
    counts[Int(cause.rawValue)] &+= 1
  }
}
