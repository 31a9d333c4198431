import Basics

/// A transfer and its answer as messages of a virtual board's socket (`Docs/SPEC-virtual.md`, "I2C").
///
/// All numbers are little-endian. What does not fit the limits, or goes on after its end, is no message.
public enum I2CMessage {
  /// The longest answer or request: 42 parts of 8,192 bytes are more than one message holds, so a virtual bus takes
  /// less in all.
  public static let sizeMax = 65_536

  public struct Request: Equatable, Sendable {
    /// Comes back with the answer.
    public let number: UInt32
    public let transfer: I2CTransfer

    public init(number: UInt32, transfer: I2CTransfer) {
      self.number = number
      self.transfer = transfer
    }

    public init?(decoding bytes: [UInt8]) {
      var reader = ByteReader(bytes)
      guard let number = reader.u32(), let address = reader.u8(), let count = reader.u8(),
        count <= I2CTransfer.partsMax
      else { return nil }
      var parts: [I2CTransfer.Part] = []
      for _ in 0..<count {
        guard let direction = reader.u8(), let length = reader.u16() else { return nil }
        switch direction {
        case 0:
          guard let bytes = reader.take(Int(length)) else { return nil }
          parts.append(.write(bytes))
        case 1: parts.append(.read(Int(length)))
        default: return nil
        }
      }
      guard reader.remaining == 0, let transfer = I2CTransfer(checking: address, parts: parts)
      else { return nil }
      self.init(number: number, transfer: transfer)
    }

    public func encoded() -> [UInt8] {
      var writer = ByteWriter()
      writer.u32(number)
      writer.u8(transfer.address)
      writer.u8(UInt8(transfer.parts.count))
      for part in transfer.parts {
        switch part {
        case .write(let bytes):
          writer.u8(0)
          writer.u16(UInt16(bytes.count))
          writer.put(bytes)
        case .read(let count):
          writer.u8(1)
          writer.u16(UInt16(count))
        }
      }
      return writer.bytes
    }
  }

  public struct Answer: Equatable, Sendable {
    public let number: UInt32
    public let result: Result

    public enum Result: Equatable, Sendable {
      /// What each read brought.
      case answers([[UInt8]])
      /// An error number of Linux, as an adapter's driver would give it.
      case failure(errno: UInt16)
    }

    public init(number: UInt32, result: Result) {
      self.number = number
      self.result = result
    }

    /// - Parameters:
    ///   - bytes: the message.
    ///   - counts: how many bytes each read of the request wanted; an answer of other lengths is none.
    public init?(decoding bytes: [UInt8], readCounts counts: [Int]) {
      var reader = ByteReader(bytes)
      guard let number = reader.u32(), let errno = reader.u16() else { return nil }
      if errno != 0 {
        guard reader.remaining == 0 else { return nil }
        self.init(number: number, result: .failure(errno: errno))
        return
      }
      var answers: [[UInt8]] = []
      for count in counts {
        guard let bytes = reader.take(count) else { return nil }
        answers.append(bytes)
      }
      guard reader.remaining == 0 else { return nil }
      self.init(number: number, result: .answers(answers))
    }

    public func encoded() -> [UInt8] {
      var writer = ByteWriter()
      writer.u32(number)
      switch result {
      case .answers(let answers):
        writer.u16(0)
        for bytes in answers { writer.put(bytes) }
      case .failure(let errno): writer.u16(errno)
      }
      return writer.bytes
    }
  }
}
