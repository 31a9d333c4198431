/// FNV-1a with 64 bits, which shows a difference between two runs and is fast enough for every event.
struct Digest: Equatable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
  }

  /// The digest of these bytes alone.
  ///
  /// Not generic: a debug build would call a witness for each byte.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var digest = Digest()
    digest.add(bytes)
    return digest.value
  }
}
