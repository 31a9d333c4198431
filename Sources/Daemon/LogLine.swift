import Model

/// How a line of the log is written.
enum LogLine {
  /// The line with its line feed; the journal wants the priority in front (`sd-daemon(3)`).
  ///
  /// The text may hold what a stranger chose.
  static func format(_ text: String, level: LogLevel, isJournal: Bool) -> String {
    let line = oneLine(text)
    if isJournal { return "<\(level.rawValue)>\(line)\n" }
    switch level {
    case .error, .warning: return "binnacled: \(level): \(line)\n"
    case .notice, .info, .debug: return "binnacled: \(line)\n"
    }
  }

  /// Line feeds and other control characters would let a client's name forge lines of the log.
  private static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      line.unicodeScalars.append(isControl ? "?" : scalar)
    }
    return line
  }
}
