/// Why a GPIO line cannot be used, or can no longer be.
public struct LineFault: Equatable, Codable, Sendable {
  public enum Kind: UInt8, CaseIterable, Codable, Sendable {
    /// No chip has that label, or no virtual board listens there.
    case chipMissing = 0
    case lineMissing = 1
    case busy = 2
    case notPermitted = 3
    /// It was there and went away with its chip.
    case gone = 4
    case failed = 5
  }

  public var kind: Kind
  /// What the system said, and who holds the line where that is known.
  public var text: String

  public init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }
}
