public import Foundation

/// Why something that an app has set is not kept.
public struct DeviceDefaultsError: LocalizedError, Equatable, Sendable {
  /// The kind of the error.
  public enum Code: Equatable, Sendable {
    /// A key or a value is too large, there are too many keys, or values of this type cannot be stored.
    case limitReached
    /// The daemon cannot identify the app of this program and stores nothing for it.
    case notPermitted
    /// The disk is full or fails.
    case notKept
    /// No daemon answers, or a daemon of an older release; values that were set are sent when the daemon returns.
    case daemonAbsent
  }

  public let code: Code
  /// The error, its subject, and the remedy.
  public let text: String

  /// The same text.
  public var errorDescription: String? { text }
}
