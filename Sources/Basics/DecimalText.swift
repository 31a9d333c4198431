/// Numbers as text with a fixed count of decimals.
public enum DecimalText {
  /// The number with this many decimals, rounded half away from zero; a number beyond 64 bits as Swift prints it.
  public static func fixed(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard let scaled = Int64(exactly: (value.magnitude * scale).rounded()) else {
      return value.description
    }
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let text = String(scaled)
    let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
  }

  /// A whole number with at least this many digits.
  public static func padded(_ number: Int, width: Int) -> String {
    var text: [UInt8] = []
    append(number, width: width, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends a whole number with at least this many digits to a text in UTF-8.
  static func append(_ number: Int, width: Int, to text: inout [UInt8]) {
    if number < 0 { text.append(UInt8(ascii: "-")) }
    let start = text.endIndex
    var rest = number.magnitude
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || text.endIndex - start < width
    text[start...].reverse()
  }
}
