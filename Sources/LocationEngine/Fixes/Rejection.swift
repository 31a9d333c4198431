/// Why a navigation solution is not delivered; the order of the cases is the order of the checks.
public enum Rejection: UInt8, CaseIterable, Codable, Sendable {
  /// The receiver has no fix: no position, dead reckoning alone, or time only.
  case noFix = 0
  /// No message of the epoch reports whether the position is a fix: UBX-NAV-POSLLH alone.
  case validityUnknown = 8
  /// The receiver has a position that does not meet its own limits (gnssFixOK is not set).
  case notQualified = 1
  /// The solution claims a fix and has no position.
  case positionMissing = 2
  /// Latitude or longitude is out of range, or both are exactly zero, or the coordinates of NAV-SOL
  /// are far from the surface of the Earth.
  case positionInvalid = 3
  /// The horizontal accuracy is unknown or zero.
  case accuracyUnknown = 4
  /// Date or time is invalid, is unconfirmed although the receiver can confirm it, or has an error of 1 s or more.
  case timeUnresolved = 5
  /// The time is not after the time of the previous fix.
  case timeBackwards = 6
  /// The distance from the previous fix is greater than the dynamic model and the uncertainties allow.
  case jump = 7

  /// The last part of the cause's name in the report.
  var name: String {
    switch self {
    case .noFix: "no_fix"
    case .validityUnknown: "validity_unknown"
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

/// The number of rejected solutions for each cause.
public struct RejectionCounts: Equatable, Codable, Sendable {
  private var counts = [Int](repeating: 0, count: Rejection.allCases.count)

  public subscript(_ cause: Rejection) -> Int {
    counts[Int(cause.rawValue)]
  }

  mutating func count(_ cause: Rejection) {
    counts[Int(cause.rawValue)] &+= 1
  }
}
