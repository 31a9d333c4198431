public import BinnacleModel

/// The state of the location service in one word, for the prompt of the console.
public enum StateWord {
  /// There is no daemon.
  public static let absent = "no-daemon"
  /// The daemon does not report its state to this user.
  public static let guest = "guest"
  /// This console shows nothing until it is unlocked.
  public static let locked = "locked"

  /// - Parameter report: the daemon's report.
  /// - Returns: a word, the most urgent first.
  public static func word(_ report: Report) -> String {
    let values = ReportReader(report)
    if values[.servicesOn] == false { return "services-off" }
    if values[.receiverTrouble] != nil || values[.receiverState] == nil { return "fault" }
    switch values[.powerState] {
    case "asleep"?: return "asleep"
    case "off"?: return "off"
    case "resting"?: return "paused"
    case _?, nil: break
    }
    if let count = values[.sessionsPaused], count > 0 { return "paused" }
    guard let age = values[.fixAge], age <= fixAgeMax else {
      return values[.sessionsRate] ?? 0 > 0 ? "searching" : "idle"
    }
    return "fix"
  }

  private static let fixAgeMax = 10.0
}
