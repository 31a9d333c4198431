import BinnacleBasics
import BinnacleModel

/// The format of a log line.
enum LogLine {
  /// The line with its line feed; the journal wants the priority in front (`sd-daemon(3)`).
  ///
  /// The text may contain text from outside.
  static func format(_ text: String, level: LogLevel, isJournal: Bool) -> String {
    let line = PlainText.line(text)
    if isJournal { return "<\(level.rawValue)>\(line)\n" }
    switch level {
    case .error, .warning: return "binnacled: \(level): \(line)\n"
    case .notice, .info, .debug: return "binnacled: \(line)\n"
    }
  }
}
