public import BinnacleBasics

/// The reason why a change of an app's defaults is not stored, or why the defaults cannot be read.
public typealias DefaultsRefusal = Fault<DefaultsFailure>

/// The kinds of refusals of defaults.
public enum DefaultsFailure: UInt8, CaseIterable, Codable, Sendable {
  /// A key or a value is too large, or there are too many.
  case limitReached = 0
  /// The daemon cannot identify the client's app.
  case notPermitted = 1
  /// The disk cannot store the change, or cannot be read.
  case notKept = 2
}
