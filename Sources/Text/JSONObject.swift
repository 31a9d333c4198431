import BinnacleBasics

/// Writes one JSON object on one line, its keys in the order in which they are added.
public struct JSONObject {
  private var body = ""

  public init() {}

  /// The object as text, without a line feed.
  public var text: String { "{\(body)}" }

  public mutating func add(_ key: String, _ value: String) {
    begin(key)
    body += JSONObject.quoted(value)
  }

  public mutating func add(_ key: String, _ value: Int64) {
    begin(key)
    body += String(value)
  }

  /// Adds the shortest decimal number that reads back as the same value.
  ///
  /// JSON has no infinity and no NaN, so such a value is null.
  public mutating func add(_ key: String, _ value: Double) {
    begin(key)
    body += value.isFinite ? value.description : "null"
  }

  public mutating func add(_ key: String, _ value: Bool) {
    begin(key)
    body += value ? "true" : "false"
  }

  public mutating func add(_ key: String, _ objects: [JSONObject]) {
    begin(key)
    body += "[" + objects.map(\.text).joined(separator: ",") + "]"
  }

  public mutating func add(_ key: String, _ texts: [String]) {
    begin(key)
    body += "[" + texts.map(JSONObject.quoted).joined(separator: ",") + "]"
  }

  public mutating func add(_ key: String, _ integers: [Int64]) {
    begin(key)
    body += "[" + integers.map(String.init).joined(separator: ",") + "]"
  }

  private mutating func begin(_ key: String) {
    if !body.isEmpty { body += "," }
    body += JSONObject.quoted(key)
    body += ":"
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where !PlainText.isPlain(scalar): quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The escape `\uXXXX` for each UTF-16 unit of the character (RFC 8259, section 7).
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
