import BinnacleBasics
public import BinnacleModel

/// A line of the daemon's log as text.
public enum LogText {
  /// - Parameters:
  ///   - row: a row of `binnacle log`.
  ///   - hasDate: false: the time is that of the day in whole seconds, as in a view of the present.
  /// - Returns: time, severity unless it is ordinary, and the text.
  public static func line(_ row: Report, hasDate: Bool = true) -> String {
    let level = row[.rowPriority] ?? ""
    let isOrdinary = ["notice", "info", "debug", ""].contains(level)
    let text = PlainText.line(row[.rowLogText] ?? "")
    let time = row[.rowLoggedAt] ?? "?"
    return PlainText.line(hasDate ? time : timeOfDay(time)) + "  "
      + (isOrdinary ? "" : PlainText.line(level) + ": ") + text
  }

  /// `10:15:31` of `2026-11-24T10:15:31.870Z`.
  private static func timeOfDay(_ time: String) -> String {
    let parts = time.split(separator: "T")
    return parts.count == 2 ? String(parts[1].prefix(8)) : time
  }
}
