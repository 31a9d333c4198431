public import BinnacleBasics

/// The reason why a GPIO line cannot be used.
///
/// If known, the text names the driver or program that holds the line.
public typealias LineFault = Fault<LineFailure>

/// The kinds of failures of a GPIO line.
public enum LineFailure: UInt8, CaseIterable, Codable, Sendable {
  /// No chip has that label, or no virtual board listens at that path.
  case chipMissing = 0
  /// The chip has no such line, or several lines of that name.
  case lineMissing = 1
  case busy = 2
  case notPermitted = 3
  /// The line was removed with its chip.
  case gone = 4
  case failed = 5
}
