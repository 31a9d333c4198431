import BinnacleBasics

/// The value of a key in an app's defaults.
public enum DefaultsValue: Codable, Sendable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case data([UInt8])

  private enum Tag: UInt8 {
    case flag = 0
    case integer = 1
    case number = 2
    case text = 3
    case data = 4
  }

  /// The encoded value on the wire and on the disk: a byte for the type, then the value to the end.
  ///
  /// The meaning of these bytes never changes: `Docs/SPEC-wire.md` and `Docs/SPEC-state.md` describe them.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .flag(let flag):
      writer.u8(Tag.flag.rawValue)
      writer.u8(flag ? 1 : 0)
    case .integer(let integer):
      writer.u8(Tag.integer.rawValue)
      writer.i64(integer)
    case .number(let number):
      writer.u8(Tag.number.rawValue)
      writer.f64(number)
    case .text(let text):
      writer.u8(Tag.text.rawValue)
      writer.put(Array(text.utf8))
    case .data(let bytes):
      writer.u8(Tag.data.rawValue)
      writer.put(bytes)
    }
    return writer.bytes
  }

  /// The number of encoded bytes.
  public var encodedSize: Int {
    switch self {
    case .flag: 2
    case .integer, .number: 9
    case .text(let text): 1 + text.utf8.count
    case .data(let bytes): 1 + bytes.count
    }
  }

  /// Reads an encoded value; nil if the bytes are invalid.
  public init?(encoded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .flag:
      guard let flag = reader.u8(), flag <= 1 else { return nil }
      self = .flag(flag == 1)
    case .integer:
      guard let integer = reader.i64() else { return nil }
      self = .integer(integer)
    case .number:
      guard let number = reader.f64() else { return nil }
      self = .number(number)
    case .text:
      guard let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return nil }
      self = .text(text)
      return
    case .data:
      self = .data(Array(bytes.dropFirst()))
      return
    }
    guard reader.remaining == 0 else { return nil }
  }
}

extension DefaultsValue: Equatable {
  /// Equal if the encoded bytes are equal: NaN equals NaN, and 0 differs from -0.
  public static func == (left: DefaultsValue, right: DefaultsValue) -> Bool {
    switch (left, right) {
    case (.flag(let left), .flag(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.flag, _), (.integer, _), (.number, _), (.text, _), (.data, _): false
    }
  }
}
