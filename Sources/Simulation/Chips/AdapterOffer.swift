import BinnacleBasics
public import I2C

/// A transfer as the kernel module `i2c-uadap` offers it to the program behind a bus, and the answer to the transfer.
///
/// `Bench/kernel/i2c-uadap/i2c-uadap.c` describes the layout: id and count, then for each message its address, flags
/// and length, then the bytes of all write messages.
public struct AdapterOffer: Equatable, Sendable {
  /// The number that the answer repeats.
  public let id: UInt32
  private let messages: [Message]

  private struct Message: Equatable, Sendable {
    var address: UInt16
    var flags: UInt16
    var length: UInt16
    var written: [UInt8] = []

    var isRead: Bool { flags & AdapterOffer.readFlag != 0 }
  }

  /// `I2C_M_RD` of `<linux/i2c.h>`.
  private static let readFlag: UInt16 = 0x0001
  /// `I2C_M_RD`, and `I2C_M_DMA_SAFE`, which concerns only the adapter; other flags are not supported.
  private static let knownFlags: UInt16 = 0x0201
  /// The largest offer: all parts have their maximum size, and all parts are writes.
  public static let bytesMax = 8 + I2CTransfer.partsMax * (6 + I2CTransfer.partBytesMax)

  /// Decodes an offer; nil when the bytes are no offer.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let id = reader.u32(), let count = reader.i32(),
      (1...I2CTransfer.partsMax).contains(Int(count))
    else { return nil }
    var messages: [Message] = []
    for _ in 0..<count {
      guard let address = reader.u16(), let flags = reader.u16(), let length = reader.u16() else {
        return nil
      }
      messages.append(Message(address: address, flags: flags, length: length))
    }
    for index in messages.indices where !messages[index].isRead {
      guard let written = reader.take(Int(messages[index].length)) else { return nil }
      messages[index].written = written
    }
    guard reader.remaining == 0 else { return nil }
    self.id = id
    self.messages = messages
  }

  /// The offered transfer; nil when the bus does not support it.
  ///
  /// The bus does not support addresses of ten bits, several chips in one transfer, and a length that the chip sends.
  public var transfer: I2CTransfer? {
    guard let first = messages.first, let address = UInt8(exactly: first.address),
      messages.allSatisfy({
        $0.address == first.address && $0.flags & ~AdapterOffer.knownFlags == 0
      })
    else { return nil }
    return I2CTransfer(
      checking: address,
      parts: messages.map { $0.isRead ? .read(Int($0.length)) : .write($0.written) })
  }

  /// The answer in the module's layout.
  public func answer(_ result: SimulatedI2CBus.Result) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(id)
    switch result {
    case .failure(let errno): writer.i32(-Int32(errno))
    case .answers(let answers):
      writer.i32(Int32(messages.count))
      for (message, bytes) in zip(messages.filter(\.isRead), answers) {
        let wanted = Int(message.length)
        // An undriven bus stays high: missing bytes read as ones.
        writer.put(
          bytes.prefix(wanted) + [UInt8](repeating: 0xFF, count: max(0, wanted - bytes.count)))
      }
    }
    return writer.bytes
  }
}
