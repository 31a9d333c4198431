/// A state of a part of the board in the history of the last day (`binnacle day`).
public enum DayState: String, CaseIterable, Codable, Sendable {
  // The movement of the board.
  case moving
  case resting
  /// No program has updates, so the movement is not judged.
  case notJudged = "not_judged"

  // The receiver.
  /// There is no receiver.
  case absent
  /// The receiver sends nothing that the daemon understands.
  case silent
  /// The receiver is on, and has no fix.
  case searching
  case fix
  /// The receiver is on, and all updates pause.
  case paused
  case asleep

  // The indicator.
  case dark
  /// The indicator was ordered to be lit, and was not read back yet.
  case asserting
  case lit
  /// The indicator was due, and could not be lit.
  case failed

  // An app.
  case notRunning = "not_running"
  case foreground
  case background
  case suspended

  /// The part of the board that has the state.
  public var part: DayPart {
    switch self {
    case .moving, .resting, .notJudged: .movement
    case .absent, .silent, .searching, .fix, .paused, .asleep: .receiver
    case .dark, .asserting, .lit, .failed: .light
    case .notRunning, .foreground, .background, .suspended: .app
    }
  }

  public init(_ state: AppState) {
    switch state {
    case .notRunning: self = .notRunning
    case .foreground: self = .foreground
    case .background: self = .background
    case .suspended: self = .suspended
    }
  }
}

/// A part of the board in the history of the last day.
public enum DayPart: String, CaseIterable, Codable, Sendable {
  case movement
  case receiver
  case light
  case app
}
