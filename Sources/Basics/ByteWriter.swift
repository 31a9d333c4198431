/// Appends little-endian numbers to an array of bytes.
public struct ByteWriter: Sendable {
  /// The written bytes and free room: storing a number into room costs a fraction of appending the number.
  private var storage: [UInt8] = []
  /// The number of bytes written.
  public private(set) var count = 0
  private static let room = [UInt8](repeating: 0, count: 256)

  public init() {}

  /// A writer that overwrites these bytes; exactly as many bytes are given without a copy.
  public init(over blank: [UInt8]) { storage = blank }

  /// The bytes written so far.
  public var bytes: [UInt8] { count == storage.count ? storage : Array(written) }
  /// The written bytes in place, without a copy.
  public var written: ArraySlice<UInt8> { storage[..<count] }

  public mutating func u8(_ value: UInt8) {
    makeRoom(1)
    storage[count] = value
    count += 1
  }
  public mutating func u16(_ value: UInt16) { number(value) }
  public mutating func u32(_ value: UInt32) { number(value) }
  public mutating func u64(_ value: UInt64) { number(value) }
  public mutating func i8(_ value: Int8) { u8(UInt8(bitPattern: value)) }
  public mutating func i16(_ value: Int16) { number(UInt16(bitPattern: value)) }
  public mutating func i32(_ value: Int32) { number(UInt32(bitPattern: value)) }
  public mutating func i64(_ value: Int64) { number(UInt64(bitPattern: value)) }
  public mutating func f64(_ value: Double) { number(value.bitPattern) }

  public mutating func put(_ more: some Sequence<UInt8>) {
    for byte in more { u8(byte) }
  }
  /// The same at once instead of byte by byte.
  public mutating func put(_ more: [UInt8]) {
    makeRoom(more.count)
    storage.replaceSubrange(count..<count + more.count, with: more)
    count += more.count
  }

  /// Bytes behind a 32-bit count of them.
  public mutating func counted(_ more: [UInt8]) {
    u32(UInt32(more.count))
    put(more)
  }

  /// UTF-8 text behind a 16-bit count of its bytes; bytes beyond 65,535 are cut off.
  public mutating func text(_ text: String) {
    var utf8 = Array(text.utf8.prefix(65_535))
    while String(validating: utf8, as: UTF8.self) == nil, !utf8.isEmpty { utf8.removeLast() }
    u16(UInt16(utf8.count))
    put(utf8)
  }

  /// Discards the written bytes and keeps the memory.
  public mutating func removeAll() { count = 0 }

  private mutating func number(_ value: some FixedWidthInteger) {
    let size = MemoryLayout.size(ofValue: value)
    makeRoom(size)
    storage.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: count, as: type(of: value))
    }
    count += size
  }

  private mutating func makeRoom(_ size: Int) {
    while storage.count - count < size { storage.append(contentsOf: ByteWriter.room) }
  }
}
