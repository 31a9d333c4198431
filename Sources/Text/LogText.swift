import BinnacleBasics
public import BinnacleModel

/// A line of the daemon's log as text.
public enum LogText {
  /// - Parameter row: a row of `binnacle log`.
  /// - Returns: time, severity unless it is ordinary, and the text.
  public static func line(_ row: Report) -> String {
    let level = row[.rowPriority] ?? ""
    let isOrdinary = ["notice", "info", "debug", ""].contains(level)
    let text = PlainText.line(row[.rowLogText] ?? "")
    return PlainText.line(row[.rowLoggedAt] ?? "?") + "  "
      + (isOrdinary ? "" : PlainText.line(level) + ": ") + text
  }
}
