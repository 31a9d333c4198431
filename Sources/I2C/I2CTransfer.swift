/// One transfer on an I2C bus: its parts go to one chip, with a repeated start between them and a stop at the end.
///
/// Limits are those of the kernel's `I2C_RDWR` (`drivers/i2c/i2c-dev.c`): 42 parts, 8,192 bytes each. Some
/// adapters take less; the one of the Raspberry Pi up to 4 (`i2c-bcm2835.c`) takes a read only as the last part.
public struct I2CTransfer: Equatable, Sendable {
  /// The chip's 7-bit address.
  public let address: UInt8
  public let parts: [Part]

  public enum Part: Equatable, Sendable {
    /// Bytes to the chip; the first is a register's number, as a rule.
    case write([UInt8])
    /// The number of bytes to read from the chip.
    case read(Int)

    /// How many bytes go over the bus.
    public var count: Int {
      switch self {
      case .write(let bytes): bytes.count
      case .read(let count): count
      }
    }
  }

  public static let partsMax = 42
  public static let partBytesMax = 8_192
  /// The addresses that chips can have; those outside are reserved by the I2C specification (UM10204, 3.1.12).
  public static let addresses: ClosedRange<UInt8> = 0x08...0x77

  /// - Parameters:
  ///   - address: one of `addresses`.
  ///   - parts: 1 to `partsMax` of them, each of 1 to `partBytesMax` bytes.
  public init(address: UInt8, parts: [Part]) {
    guard let checked = I2CTransfer(checking: address, parts: parts) else {
      preconditionFailure("a transfer to \(address) is beyond the limits of the bus")
    }
    self = checked
  }

  /// A transfer from unchecked numbers; nil when they are beyond the limits.
  public init?(checking address: UInt8, parts: [Part]) {
    guard I2CTransfer.addresses.contains(address), (1...I2CTransfer.partsMax).contains(parts.count),
      parts.allSatisfy({ (1...I2CTransfer.partBytesMax).contains($0.count) })
    else { return nil }
    self.address = address
    self.parts = parts
  }

  /// Reads registers in a row: the first one's number out, then so many bytes in.
  public static func read(_ count: Int, from register: UInt8, of address: UInt8) -> I2CTransfer {
    I2CTransfer(address: address, parts: [.write([register]), .read(count)])
  }

  /// Writes registers in a row.
  public static func write(_ bytes: [UInt8], to register: UInt8, of address: UInt8) -> I2CTransfer {
    I2CTransfer(address: address, parts: [.write([register] + bytes)])
  }

  /// How many bytes each read brings.
  public var readCounts: [Int] {
    parts.compactMap { part in
      switch part {
      case .read(let count): count
      case .write: nil
      }
    }
  }
}
