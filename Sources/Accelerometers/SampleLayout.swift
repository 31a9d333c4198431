/// The layout of the three axes in the bytes of a sample.
struct SampleLayout: Equatable, Sendable {
  var isBigEndian = false
  /// The number of unused bits below a left-justified value.
  var shift = 0
  /// The number of bytes before the axes.
  var tagBytes = 0
  /// The scale: g per count.
  var gPerCount: Double
  /// The largest count in either direction; beyond it the chip saturates.
  var countMax: Int16

  var byteCount: Int { tagBytes + 6 }

  /// The counts of one sample that begins at `offset`.
  func counts(_ bytes: [UInt8], at offset: Int) -> (Int16, Int16, Int16) {
    func axis(_ index: Int) -> Int16 {
      let place = offset + tagBytes + index * 2
      let first = UInt16(bytes[place])
      let second = UInt16(bytes[place + 1])
      let raw = isBigEndian ? first << 8 | second : second << 8 | first
      return Int16(bitPattern: raw) >> Int16(shift)
    }
    return (axis(0), axis(1), axis(2))
  }
}
