/// The bytes that a UART reads when bytes are sent at another speed than the UART's own.
///
/// The line is sampled as in a UART. The falling edge of a start bit starts a clock, and ten samples are taken in the
/// middle of the bits at the listener's speed. A byte is passed on with any stop bit, as by a terminal in raw mode.
/// Speeds that differ by a few per cent work. Other speeds give garbage: the same garbage for the same bytes.
public enum SerialSampling {
  /// The bits of one byte on the line: start, eight data bits, stop (8N1).
  public static let bitsPerByte = 10

  /// The bytes that a listener at `listenerSpeed` reads when `bytes` are sent at `senderSpeed` without a gap.
  public static func heard(
    _ bytes: [UInt8], sentAt senderSpeed: Int, readAt listenerSpeed: Int
  ) -> [UInt8] {
    guard senderSpeed != listenerSpeed, senderSpeed > 0, listenerSpeed > 0 else { return bytes }
    // Time is counted in units of 1 / (2 x sender x listener) seconds, so that every edge is an integer.
    let senderBit = 2 * listenerSpeed
    let listenerBit = 2 * senderSpeed
    let end = bytes.count * bitsPerByte * senderBit
    var heard: [UInt8] = []
    var time = 0
    while let start = fallingEdge(from: time, in: bytes, bit: senderBit, end: end) {
      var byte: UInt8 = 0
      for index in 0..<8 {
        let sample = start + listenerBit * (index + 1) + listenerBit / 2
        if level(at: sample, in: bytes, bit: senderBit, end: end) { byte |= 1 << UInt8(index) }
      }
      heard.append(byte)
      time = start + listenerBit * 9 + listenerBit / 2
    }
    return heard
  }

  /// The time that `count` bytes take on the line.
  static func nanoseconds(bytes count: Int, speed: Int) -> Int64 {
    Int64(count) * Int64(bitsPerByte) * 1_000_000_000 / Int64(speed)
  }

  private static func fallingEdge(from time: Int, in bytes: [UInt8], bit: Int, end: Int) -> Int? {
    var index = (time + bit - 1) / bit
    if time > 0, time < end, !level(at: time, in: bytes, bit: bit, end: end) {
      // The line is still low where the last byte ended: a UART waits until the line has been high.
      while index * bit < end, !level(at: index * bit, in: bytes, bit: bit, end: end) { index += 1 }
    }
    while index * bit < end {
      if !level(at: index * bit, in: bytes, bit: bit, end: end) { return index * bit }
      index += 1
    }
    return nil
  }

  private static func level(at time: Int, in bytes: [UInt8], bit: Int, end: Int) -> Bool {
    guard time >= 0, time < end else { return true }
    let index = time / bit
    switch index % bitsPerByte {
    case 0: return false
    case 9: return true
    case let position: return bytes[index / bitsPerByte] & (1 << UInt8(position - 1)) != 0
    }
  }
}
