/// Appends little-endian numbers to an array of bytes.
public struct ByteWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func u8(_ value: UInt8) { bytes.append(value) }
  public mutating func u16(_ value: UInt16) { number(value) }
  public mutating func u32(_ value: UInt32) { number(value) }
  public mutating func u64(_ value: UInt64) { number(value) }
  public mutating func i8(_ value: Int8) { u8(UInt8(bitPattern: value)) }
  public mutating func i16(_ value: Int16) { number(UInt16(bitPattern: value)) }
  public mutating func i32(_ value: Int32) { number(UInt32(bitPattern: value)) }
  public mutating func i64(_ value: Int64) { number(UInt64(bitPattern: value)) }
  public mutating func f64(_ value: Double) { number(value.bitPattern) }

  public mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  /// The same at once instead of byte by byte, which is what a generic function of another module comes to.
  public mutating func put(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  /// Bytes behind a 32-bit count of them.
  public mutating func counted(_ more: [UInt8]) {
    u32(UInt32(more.count))
    put(more)
  }

  /// UTF-8 text behind a 16-bit count of its bytes; what goes beyond 65,535 bytes is cut off.
  public mutating func text(_ text: String) {
    var utf8 = Array(text.utf8.prefix(65_535))
    while String(validating: utf8, as: UTF8.self) == nil, !utf8.isEmpty { utf8.removeLast() }
    u16(UInt16(utf8.count))
    put(utf8)
  }

  /// Forgets what was written, keeps the memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func number(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
