/// Why a client does not get the satellites in view.
public struct SkyRefusal: Equatable, Codable, Sendable {
  public enum Reason: UInt8, CaseIterable, Codable, Sendable {
    /// The client may not have locations.
    case notPermitted = 0
    /// The receiver does not tell them now.
    case unavailable = 1
  }

  public var reason: Reason
  /// What happened, to what, and what to do: a sentence for a person.
  public var text: String

  public init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}
