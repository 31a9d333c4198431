/// Something that failed: a kind, by which the program decides, and a text for a person.
///
/// Each part that can fail lists its kinds in an enum and names the pair, as in `typealias LineFault = Fault<LineFailure>`.
public struct Fault<Kind: Equatable & Sendable>: Error, Equatable, Sendable,
  CustomStringConvertible, CustomDebugStringConvertible
{
  public var kind: Kind
  /// The event, its subject, and the remedy where it is known.
  public var text: String
  /// The driver of the kernel that holds the device; nil when no driver is the reason, or it is unknown.
  public var driver: String?

  public init(_ kind: Kind, _ text: String, driver: String? = nil) {
    self.kind = kind
    self.text = text
    self.driver = driver
  }

  public var description: String { text }

  /// The kind and the text, for traces and tests.
  public var debugDescription: String { "\(kind): \(text)" }
}

extension Fault: Codable where Kind: Codable {}
