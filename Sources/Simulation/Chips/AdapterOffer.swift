import BinnacleBasics
public import I2C

/// A transfer as the kernel module `i2c-uadap` offers it to whoever answers for a bus, and the answer to it.
///
/// The layout is told in `Bench/kernel/i2c-uadap/i2c-uadap.c`: id and count, then for each message its address, flags and
/// length, then the bytes of all messages that write.
public struct AdapterOffer: Equatable, Sendable {
  /// Comes back with the answer.
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
  /// `I2C_M_RD`, and `I2C_M_DMA_SAFE`, which tells only the adapter something; nothing else is understood here.
  private static let knownFlags: UInt16 = 0x0201
  /// The largest offer: all parts at their largest, and all of them writing.
  public static let bytesMax = 8 + I2CTransfer.partsMax * (6 + I2CTransfer.partBytesMax)

  /// Reads an offer; nil when it is none.
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

  /// What is wanted of the bus; nil for what it does not do: addresses of ten bits, several chips in one transfer, a
  /// length that the chip tells.
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

  /// The answer as the module takes it.
  public func answer(_ result: SimulatedI2CBus.Result) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(id)
    switch result {
    case .failure(let errno): writer.i32(-Int32(errno))
    case .answers(let answers):
      writer.i32(Int32(messages.count))
      for (message, bytes) in zip(messages.filter(\.isRead), answers) {
        let wanted = Int(message.length)
        // Nobody pulls a bus down that nobody drives: it reads as ones.
        writer.put(
          bytes.prefix(wanted) + [UInt8](repeating: 0xFF, count: max(0, wanted - bytes.count)))
      }
    }
    return writer.bytes
  }
}
