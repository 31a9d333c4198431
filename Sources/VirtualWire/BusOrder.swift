import BinnacleBasics
public import I2C

/// A client's message on a connection with the face `i2c`: one transfer, answered by one `BusAnswer`.
public struct BusOrder: Equatable, Sendable {
  /// Comes back with the answer.
  public let ticket: UInt32
  public let transfer: I2CTransfer

  private static let type: UInt8 = 5

  public init(ticket: UInt32, transfer: I2CTransfer) {
    self.ticket = ticket
    self.transfer = transfer
  }

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == BusOrder.type, let ticket = reader.u32(), let address = reader.u8(),
      let count = reader.u8(), count <= I2CTransfer.partsMax
    else { return nil }
    var parts: [I2CTransfer.Part] = []
    for _ in 0..<count {
      guard let isRead = reader.flag(), let length = reader.u16() else { return nil }
      if isRead {
        parts.append(.read(Int(length)))
      } else {
        guard let written = reader.take(Int(length)) else { return nil }
        parts.append(.write(written))
      }
    }
    guard reader.remaining == 0, let transfer = I2CTransfer(checking: address, parts: parts)
    else { return nil }
    self.init(ticket: ticket, transfer: transfer)
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(BusOrder.type)
    writer.u32(ticket)
    writer.u8(transfer.address)
    writer.u8(UInt8(transfer.parts.count))
    for part in transfer.parts {
      switch part {
      case .write(let bytes):
        writer.flag(false)
        writer.u16(UInt16(bytes.count))
        writer.put(bytes)
      case .read(let count):
        writer.flag(true)
        writer.u16(UInt16(count))
      }
    }
    return writer.bytes
  }
}
