internal import BinnacleModel
internal import Foundation

/// From and to the types of Swift, as `UserDefaults` does it (documentation of `bool(forKey:)`, `integer(forKey:)`,
/// `double(forKey:)`, `string(forKey:)`, `data(forKey:)`).
extension DefaultsValue {
  /// The form in which a value is kept; nil for a type that is not kept.
  init?(_ value: Any) {
    switch value {
    case let flag as Bool: self = .flag(flag)
    case let integer as any BinaryInteger:
      guard let integer = Int64(exactly: integer) else { return nil }
      self = .integer(integer)
    case let number as Double: self = .number(number)
    case let number as Float: self = .number(Double(number))
    case let text as String: self = .text(text)
    case let data as Data: self = .data([UInt8](data))
    default: return nil
    }
  }

  /// The value in the type of Swift that it was kept from, with `Int` for every whole number and `Double` for `Float`.
  var object: Any {
    switch self {
    case .flag(let flag): flag
    case .integer(let integer): Int(clamping: integer)
    case .number(let number): number
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    }
  }

  /// A number that is not 0, and text such as "true", "YES" and "1".
  var bool: Bool {
    switch self {
    case .flag(let flag): flag
    case .integer(let integer): integer != 0
    case .number(let number): number != 0
    case .text(let text): NSString(string: text).boolValue
    case .data: false
    }
  }

  /// 1 for true; a number without its fraction, 0 where that does not fit; the number that a text begins with.
  var integer: Int {
    switch self {
    case .flag(let flag): flag ? 1 : 0
    case .integer(let integer): Int(clamping: integer)
    case .number(let number): Int(exactly: number.rounded(.towardZero)) ?? 0
    case .text(let text): NSString(string: text).integerValue
    case .data: 0
    }
  }

  /// 1 for true; the number that a text begins with.
  var double: Double {
    switch self {
    case .flag(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .text(let text): NSString(string: text).doubleValue
    case .data: 0
    }
  }

  /// A text, or a number's digits; nil for data.
  var string: String? {
    switch self {
    case .flag(let flag): flag ? "1" : "0"
    case .integer(let integer): String(integer)
    case .number(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .text(let text): text
    case .data: nil
    }
  }

  /// Data; nil for everything else.
  var data: Data? {
    if case .data(let bytes) = self { Data(bytes) } else { nil }
  }
}
