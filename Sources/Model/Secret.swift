/// Bytes that no log, no trace and no file may contain: a PIN, or the token of an unlocked console.
///
/// An encoder gets nothing of the bytes, so a secret inside an event is empty in a trace.
public struct Secret: Hashable, Codable, Sendable, CustomStringConvertible {
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  public init(_ text: String) { bytes = Array(text.utf8) }

  public init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(Bool.self)
    bytes = []
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(false)
  }

  public var description: String { "(secret)" }

  public var isEmpty: Bool { bytes.isEmpty }

  /// Whether both secrets are equal; the time of the comparison depends on the lengths only.
  public func matches(_ other: Secret) -> Bool {
    guard bytes.count == other.bytes.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(bytes, other.bytes) { difference |= left ^ right }
    return difference == 0
  }
}
