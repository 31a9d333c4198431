/// The checksum with Castagnoli's polynomial that iSCSI uses too (RFC 3720, section 12.1 and appendix B.4).
///
/// It finds every damage of up to 32 bits in a row and every one, two or three flipped bits in what the log writes.
public struct CRC32C: Equatable, Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// The checksum of what was added.
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

  /// Adds a number, its low byte first.
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

  /// For each byte what eight steps of division leave; bits are taken from the low end (0x82F63B78).
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 1 ? 0x82F6_3B78 ^ (rest >> 1) : rest >> 1
    }
  }
}
