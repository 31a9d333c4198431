import BinnacleBasics

/// Writes one JSON object on one line, its keys in the order in which they are added.
public struct JSONObject {
  /// The object's text in UTF-8, without the closing brace.
  private var bytes = [UInt8(ascii: "{")]

  public init() {
    // The room for an update: an update's text must not be moved while it grows.
    bytes.reserveCapacity(512)
  }

  /// The object as text, without a line feed.
  public var text: String { String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self) }

  public mutating func add(_ key: String, _ value: String) {
    begin(key)
    appendQuoted(value)
  }

  public mutating func add(_ key: String, _ value: Int64) {
    begin(key)
    append(String(value))
  }

  /// Adds the shortest decimal number that reads back as the same value.
  ///
  /// JSON has no infinity and no NaN, so such a value is null.
  public mutating func add(_ key: String, _ value: Double) {
    begin(key)
    append(value.isFinite ? value.description : "null")
  }

  public mutating func add(_ key: String, _ value: Bool) {
    begin(key)
    append(value ? "true" : "false")
  }

  public mutating func add(_ key: String, _ objects: [JSONObject]) {
    addArray(key, objects) { object, array in object.append(array.text) }
  }

  public mutating func add(_ key: String, _ texts: [String]) {
    addArray(key, texts) { object, text in object.appendQuoted(text) }
  }

  public mutating func add(_ key: String, _ integers: [Int64]) {
    addArray(key, integers) { object, integer in object.append(String(integer)) }
  }

  private mutating func addArray<Element>(
    _ key: String, _ elements: [Element], append: (inout JSONObject, Element) -> Void
  ) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ key: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    appendQuoted(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(JSONObject.quote)
    var text = text
    // Most texts need no escape, and to look at bytes is far cheaper than to look at Unicode characters.
    let isUnescaped = text.withUTF8 { utf8 in
      let isUnescaped = utf8.allSatisfy(JSONObject.isUnescaped)
      if isUnescaped { bytes.append(contentsOf: utf8) }
      return isUnescaped
    }
    if !isUnescaped {
      for scalar in text.unicodeScalars { appendEscaped(scalar) }
    }
    bytes.append(JSONObject.quote)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func isUnescaped(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != quote && byte != UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where !PlainText.isPlain(scalar): append(JSONObject.escape(scalar))
    default: append(String(scalar))
    }
  }

  /// The escape `\uXXXX` for each UTF-16 unit of the character (RFC 8259, section 7).
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
