public import BinnacleBasics

/// Why a GPIO line cannot be used, or can no longer be; the text says which driver or program holds the line where
/// that is known.
public typealias LineFault = Fault<LineFailure>

/// The kinds of failures of a GPIO line.
public enum LineFailure: UInt8, CaseIterable, Codable, Sendable {
  /// No chip has that label, or no virtual board listens there.
  case chipMissing = 0
  /// The chip has no such line, or several.
  case lineMissing = 1
  case busy = 2
  case notPermitted = 3
  /// The line was there and went away with its chip.
  case gone = 4
  case failed = 5
}
