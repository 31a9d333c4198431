/// Reads little-endian numbers from the front of an array of bytes; after the end, every read returns nil.
public struct ByteReader: Sendable {
  private let bytes: [UInt8]
  public private(set) var offset: Int
  private let end: Int

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = 0
    end = bytes.count
  }

  public init(_ slice: ArraySlice<UInt8>) {
    self.init(Array(slice))
  }

  /// How many bytes have not been read.
  public var remaining: Int { end - offset }

  public mutating func u8() -> UInt8? {
    guard remaining >= 1 else { return fail() }
    defer { offset += 1 }
    return bytes[offset]
  }

  public mutating func u16() -> UInt16? { number() }
  public mutating func u32() -> UInt32? { number() }
  public mutating func u64() -> UInt64? { number() }
  public mutating func i8() -> Int8? { u8().map { Int8(bitPattern: $0) } }
  public mutating func i16() -> Int16? { u16().map { Int16(bitPattern: $0) } }
  public mutating func i32() -> Int32? { u32().map { Int32(bitPattern: $0) } }
  public mutating func i64() -> Int64? { u64().map { Int64(bitPattern: $0) } }
  public mutating func f64() -> Double? { u64().map { Double(bitPattern: $0) } }

  /// The next `count` bytes.
  public mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, remaining >= count else { return fail() }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Bytes behind a 32-bit count of them.
  public mutating func counted() -> [UInt8]? {
    guard let count = u32() else { return nil }
    return take(Int(count))
  }

  /// UTF-8 text behind a 16-bit count of its bytes; nil when it is not UTF-8.
  public mutating func text() -> String? {
    guard let count = u16(), let bytes = take(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { return fail() }
    defer { offset += size }
    var value: Number = 0
    for index in (0..<size).reversed() {
      value = (value << 8) | Number(bytes[offset + index])
    }
    return value
  }

  private mutating func fail<Value>() -> Value? {
    offset = end
    return nil
  }
}
