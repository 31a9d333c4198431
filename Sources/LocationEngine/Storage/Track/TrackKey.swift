import BinnacleBasics

/// The key of a stretch's record: its number, `u32`.
public enum TrackKey {
  public static func bytes(_ number: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(number)
    return writer.bytes
  }

  /// - Returns: nil when the bytes are no number of a stretch.
  public static func number(_ key: [UInt8]) -> UInt32? {
    var reader = ByteReader(key)
    guard let number = reader.u32(), reader.remaining == 0 else { return nil }
    return number
  }
}
