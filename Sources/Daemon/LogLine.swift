import BinnacleBasics
import BinnacleModel

/// The format of a log line.
enum LogLine {
  /// The line with its line feed; for the journal the line begins with the priority (`sd-daemon(3)`).
  ///
  /// The text may contain text from other programs.
  static func format(_ text: String, level: LogLevel, isJournal: Bool) -> String {
    let line = PlainText.line(text)
    if isJournal { return "<\(level.rawValue)>\(line)\n" }
    switch level {
    case .error, .warning: return "binnacled: \(level): \(line)\n"
    case .notice, .info, .debug: return "binnacled: \(line)\n"
    }
  }
}
