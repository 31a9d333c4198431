import BinnacleBasics

/// An error in the bytes of a message.
public enum WireError: Error, Equatable, Sendable {
  /// A packet without any byte.
  case packetEmpty
  /// A packet of more bytes than the protocol allows.
  case packetTooLong(count: Int)
  /// The first byte is no known message type.
  case typeUnknown(UInt8)
  /// The packet ends before the end of the message.
  case truncated(type: UInt8)
  /// Bytes remain after the end of the message.
  case bytesLeftOver(type: UInt8, count: Int)
  /// A field has an undefined value.
  case valueInvalid(type: UInt8, field: String)
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .packetEmpty: "the packet is empty"
    case .packetTooLong(let count): "the packet is too long (\(count) bytes)"
    case .typeUnknown(let type): "message type \(type) is unknown"
    case .truncated(let type): "a message of type \(type) is cut short"
    case .bytesLeftOver(let type, let count):
      "\(CountText.words(count, "byte is", "bytes are")) left over behind a message of type \(type)"
    case .valueInvalid(let type, let field):
      "a message of type \(type) has an invalid value in its field \"\(field)\""
    }
  }
}
