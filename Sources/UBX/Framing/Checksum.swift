/// The checksums of the three protocols.
enum Checksum {
  /// The 8-bit Fletcher checksum of UBX: CK_A in the low byte, CK_B in the high byte.
  ///
  /// M10 SPG 5.10 interface description (UBX-21035062), "UBX checksum".
  static func fletcher(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
    var first: UInt32 = 0
    var second: UInt32 = 0
    for byte in bytes {
      first &+= UInt32(byte)
      second &+= first
    }
    return UInt16(truncatingIfNeeded: (first & 0xFF) | (second & 0xFF) << 8)
  }

  /// The exclusive or of a sentence's bytes between `$` and `*` (NMEA 0183).
  static func exclusiveOr(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
    var sum: UInt8 = 0
    for byte in bytes { sum ^= byte }
    return sum
  }

  /// CRC-24Q as RTCM 10403 uses it: polynomial 0x1864CFB, start 0, no reflection.
  static func crc24Q(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc: UInt32 = 0
    for byte in bytes {
      let index = Int(truncatingIfNeeded: (crc >> 16) & 0xFF) ^ Int(byte)
      crc = (crc << 8) & 0xFF_FFFF ^ crc24QTable[index]
    }
    return crc
  }

  private static let crc24QTable: [UInt32] = (0..<256).map { index in
    var crc = UInt32(index) << 16
    for _ in 0..<8 {
      crc <<= 1
      if crc & 0x100_0000 != 0 { crc ^= 0x186_4CFB }
    }
    return crc
  }
}
