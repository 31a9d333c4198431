import BinnacleBasics

// Signed numbers of variable length, as tracks and waiting updates store them; `Docs/SPEC-state.md` has the format.

extension ByteWriter {
  /// Writes a signed number in as few bytes as it needs.
  ///
  /// The sign is in the lowest bit. A byte has seven bits of the number, the lowest bits first. The highest bit of a
  /// byte is set if another byte follows.
  mutating func short(_ number: Int64) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    while rest >= 0x80 {
      u8(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    u8(UInt8(rest))
  }
}

extension ByteReader {
  /// Reads a number that `short` has written; nil if the number has no end, or more bytes than it needs.
  mutating func short() -> Int64? {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = u8() else { return nil }
      number |= UInt64(byte & 0x7F) << UInt64(shift)
      guard byte & 0x80 == 0 else { continue }
      if byte == 0, shift > 0 { return nil }
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
    return nil
  }
}
