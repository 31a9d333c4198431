public import BinnacleBasics

extension UTCTime {
  /// Reads `2026-11-21`, `2026-11-21T10:15`, `2026-11-21T10:15:00` and `2026-11-21T10:15:00.250`, also with a final `Z`.
  ///
  /// A blank may replace the `T`.
  public init?(rfc3339 text: String) {
    var bytes = Array(text.utf8)
    if bytes.last == UInt8(ascii: "Z"), bytes.count > 10 { bytes.removeLast() }
    var nanoseconds: Int64 = 0
    if bytes.count > 20, bytes[19] == UInt8(ascii: ".") {
      let digits = bytes[20...]
      guard digits.count <= 9, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
      nanoseconds = digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
      for _ in digits.count..<9 { nanoseconds *= 10 }
      bytes.removeSubrange(19...)
    }
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard [10, 16, 19].contains(bytes.count) else { return nil }
    for (byte, sign) in zip(bytes, pattern) {
      switch sign {
      case UInt8(ascii: "0"): guard (48...57).contains(byte) else { return nil }
      case UInt8(ascii: "T"): guard byte == sign || byte == UInt8(ascii: " ") else { return nil }
      default: guard byte == sign else { return nil }
      }
    }
    func number(_ start: Int, _ count: Int) -> Int {
      guard start + count <= bytes.count else { return 0 }
      return bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    self.init(
      year: number(0, 4), month: number(5, 2), day: number(8, 2), hour: number(11, 2),
      minute: number(14, 2), second: number(17, 2), nanoseconds: nanoseconds)
  }
}
