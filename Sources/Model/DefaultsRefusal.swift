public import BinnacleBasics

/// Why a change of an app's defaults is not kept, or why the defaults cannot be read.
public typealias DefaultsRefusal = Fault<DefaultsFailure>

/// The kinds of refusals of defaults.
public enum DefaultsFailure: UInt8, CaseIterable, Codable, Sendable {
  /// A key or a value is too large, or there are too many.
  case limitReached = 0
  /// The daemon cannot tell which app the client is.
  case notPermitted = 1
  /// The disk does not take the change, or cannot be read.
  case notKept = 2
}
