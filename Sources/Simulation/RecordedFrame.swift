/// A frame with a right checksum, found in bytes by a scanner that continues at the next byte after damage.
///
/// The frame serves recordings and the simulator's output. The scanner does not use the `UBX` module, so the checks
/// test that module as well.
public struct RecordedFrame: Equatable, Sendable {
  public enum Kind: Sendable {
    case ubx
    case nmea
  }

  public var kind: Kind
  /// The offset of the frame in the bytes.
  public var offset: Int
  /// The number of bytes of the complete frame.
  public var length: Int
  public var messageClass: UInt8 = 0
  public var id: UInt8 = 0
  /// The payload of UBX; the text between $ and * of NMEA.
  public var payload: [UInt8]

  /// All frames, first to last.
  public static func frames(in bytes: [UInt8]) -> [RecordedFrame] {
    var frames: [RecordedFrame] = []
    var index = 0
    while index < bytes.count {
      if let frame = frame(at: index, in: bytes) {
        frames.append(frame)
        index += frame.length
      } else {
        index += 1
      }
    }
    return frames
  }

  private static func frame(at start: Int, in bytes: [UInt8]) -> RecordedFrame? {
    switch bytes[start] {
    case 0xB5: ubx(at: start, in: bytes)
    case 0x24: nmea(at: start, in: bytes)
    default: nil
    }
  }

  private static func ubx(at start: Int, in bytes: [UInt8]) -> RecordedFrame? {
    guard start + 8 <= bytes.count, bytes[start + 1] == 0x62 else { return nil }
    let length = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
    let end = start + 6 + length
    guard length <= 8_192, end + 2 <= bytes.count else { return nil }
    let sum = ReceiverFrame.checksum(bytes[start + 2..<end])
    guard sum.0 == bytes[end], sum.1 == bytes[end + 1] else { return nil }
    return RecordedFrame(
      kind: .ubx, offset: start, length: length + 8, messageClass: bytes[start + 2],
      id: bytes[start + 3], payload: Array(bytes[start + 6..<end]))
  }

  private static func nmea(at start: Int, in bytes: [UInt8]) -> RecordedFrame? {
    var sum: UInt8 = 0
    var index = start + 1
    while index < bytes.count, index - start < 120, bytes[index] != 0x2A {
      guard (0x20..<0x7F).contains(bytes[index]) else { return nil }
      sum ^= bytes[index]
      index += 1
    }
    guard index + 4 < bytes.count, bytes[index] == 0x2A,
      UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16) == sum
    else { return nil }
    // gpsd-neo-m9n-nmea.log was saved with bare line feeds.
    let ending = bytes[index + 3] == 0x0A ? 1 : 2
    guard ending == 1 || (bytes[index + 3] == 0x0D && bytes[index + 4] == 0x0A) else { return nil }
    return RecordedFrame(
      kind: .nmea, offset: start, length: index + 3 + ending - start,
      payload: Array(bytes[start + 1..<index]))
  }
}
