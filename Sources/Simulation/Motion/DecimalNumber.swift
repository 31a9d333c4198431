/// Reads a decimal number in the notations of tables.
enum DecimalNumber {
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// The value, rounded correctly, with "nan" and "inf" as numbers; nil when the text is no number.
  static func value(of text: ArraySlice<UInt8>) -> Double? {
    short(text) ?? Double(String(decoding: text, as: UTF8.self))
  }

  /// The usual case: a sign, at most 15 digits, a point.
  ///
  /// Both parts are exact, so their quotient is rounded once.
  private static func short(_ text: ArraySlice<UInt8>) -> Double? {
    var mantissa: Int64 = 0
    var digitCount = 0
    var fractionCount = 0
    var hasPoint = false
    var isNegative = false
    for (place, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
        digitCount += 1
        if hasPoint { fractionCount += 1 }
        if digitCount > 15 { return nil }
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      case UInt8(ascii: "-") where place == 0: isNegative = true
      default: return nil
      }
    }
    guard digitCount > 0 else { return nil }
    let value = Double(mantissa) / powers[fractionCount]
    return isNegative ? -value : value
  }
}
