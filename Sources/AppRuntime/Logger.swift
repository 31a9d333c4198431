internal import Foundation

/// Writes messages of the app to its standard error.
///
///     let logger = Logger(subsystem: "org.example.route", category: "updates")
///     logger.info("Starting location updates")
///
/// A message is a plain text, with interpolation. The options of Apple's interpolation, such as `privacy:`, are not there.
public struct Logger: Sendable {
  /// The beginning of each line, after the level.
  private let origin: String

  /// A logger without a subsystem.
  public init() {
    origin = ""
  }

  /// A logger for a part of an app.
  public init(subsystem: String, category: String) {
    origin = " \(subsystem) \(category)"
  }

  /// Logs a message that helps to find a mistake.
  public func debug(_ message: String) { write("debug", message) }

  /// Logs a message of the usual course.
  public func info(_ message: String) { write("info", message) }

  /// Logs a message of the usual course that matters.
  public func notice(_ message: String) { write("notice", message) }

  /// Logs a message about something that may become an error.
  public func warning(_ message: String) { write("warning", message) }

  /// Logs an error.
  public func error(_ message: String) { write("error", message) }

  /// Logs a mistake of the program.
  public func fault(_ message: String) { write("fault", message) }

  private func write(_ level: String, _ message: String) {
    let lines = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let text = lines.map { "\(level)\(origin): \($0)\n" }.joined()
    // If the write fails, the reader has gone.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
