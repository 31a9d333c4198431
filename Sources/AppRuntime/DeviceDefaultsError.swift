public import Foundation

/// Why something that an app has set is not kept.
public struct DeviceDefaultsError: LocalizedError, Equatable, Sendable {
  /// What kind of reason it is.
  public enum Code: Equatable, Sendable {
    /// A key or a value is too large, there are too many, or its type is none that is kept.
    case limitReached
    /// The daemon keeps nothing for this program: it cannot tell which app it is.
    case notPermitted
    /// The disk does not take it: it is full, or fails.
    case notKept
    /// No daemon answers, or one of an older release; what was set is sent when it comes back.
    case daemonAbsent
  }

  public let code: Code
  /// What happened, to what, and what to do.
  public let text: String

  /// The same text.
  public var errorDescription: String? { text }
}
