/// The checksum with Castagnoli's polynomial, as in iSCSI (RFC 3720, section 12.1 and appendix B.4).
///
/// It detects each error burst of up to 32 bits, and up to three flipped bits in any data that the log writes.
public struct CRC32C: Equatable, Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// The checksum of the bytes so far.
  public var value: UInt32 { ~state }

  public mutating func add(_ bytes: ArraySlice<UInt8>) {
    var next = state
    CRC32C.table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        for byte in bytes {
          next = table[Int(UInt8(truncatingIfNeeded: next) ^ byte)] ^ (next >> 8)
        }
      }
    }
    state = next
  }

  /// Adds a number in little endian order.
  public mutating func add(_ number: UInt32) {
    add([
      UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
      UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 24),
    ])
  }

  /// The checksum of some bytes.
  public static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = CRC32C()
    sum.add(bytes)
    return sum.value
  }

  /// The remainder of eight division steps for each byte, lowest bit first (polynomial 0x82F63B78).
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 1 ? 0x82F6_3B78 ^ (rest >> 1) : rest >> 1
    }
  }
}
