import BinnacleBasics

/// The answer of a virtual board to a transfer.
public enum BusAnswer: Equatable, Sendable {
  /// The bytes of the transfer's reads, one after the other.
  case bytes(ticket: UInt32, [UInt8])
  /// The transfer failed; an error number of Linux, as the driver of an adapter would give it.
  case failed(ticket: UInt32, errno: UInt16)

  private enum Tag: UInt8 {
    case bytes = 137
    case failed = 138
  }

  /// Bytes that all reads of one transfer bring at most, so that the answer is one message.
  public static let bytesMax = VirtualLimits.messageSizeMax - 7

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)), let ticket = reader.u32() else {
      return nil
    }
    switch tag {
    case .bytes:
      guard let count = reader.u16(), let read = reader.take(Int(count)) else { return nil }
      self = .bytes(ticket: ticket, read)
    case .failed:
      guard let errno = reader.u16(), errno > 0 else { return nil }
      self = .failed(ticket: ticket, errno: errno)
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .bytes(let ticket, let bytes):
      writer.u8(Tag.bytes.rawValue)
      writer.u32(ticket)
      writer.u16(UInt16(bytes.count))
      writer.put(bytes)
    case .failed(let ticket, let errno):
      writer.u8(Tag.failed.rawValue)
      writer.u32(ticket)
      writer.u16(errno)
    }
    return writer.bytes
  }
}
