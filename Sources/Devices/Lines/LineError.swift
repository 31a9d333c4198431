/// Why a GPIO line cannot be used, or can no longer be.
public struct LineError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// No chip has that label, or no board listens there.
    case chipMissing
    /// The chip has no such line, or several.
    case lineMissing
    /// Somebody else has it; the description says who.
    case busy
    case notPermitted
    /// It was there and went away with its chip.
    case gone
    case failed
  }

  public let kind: Kind
  /// The line, what is wrong with it, and what to do: a sentence for a person.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
