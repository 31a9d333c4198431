/// Why something that an app has set is not kept, or nothing can be read.
public struct DefaultsRefusal: Equatable, Codable, Sendable {
  public enum Reason: UInt8, CaseIterable, Codable, Sendable {
    /// A key or a value is too large, or there are too many.
    case limitReached = 0
    /// It cannot be told which app this is.
    case notPermitted = 1
    /// The disk does not take it, or cannot be read.
    case notKept = 2
  }

  public var reason: Reason
  /// What happened, to what, and what to do: a sentence for a person.
  public var text: String

  public init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}
