/// The severity of a log line; the raw values are the priorities of syslog.
public enum LogLevel: UInt8, CaseIterable, Comparable, Codable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  public init?(name: String) {
    guard let match = LogLevel.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = match
  }

  /// Smaller is more urgent, as in syslog.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
