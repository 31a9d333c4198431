/// A frame's payload in the parser's buffer, without a copy.
///
/// A payload is valid only within the closure that receives it.
///
/// Numbers are little endian (M10 SPG 5.10 interface description, "Number formats"). The offsets are those of the
/// documents' tables. A decoder checks `count` before it reads: a read past the end is a programming error.
public struct Payload: Sequence {
  private let bytes: UnsafeRawBufferPointer

  /// Wraps any bytes as a payload.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Takes the payload from a complete frame that the scanner found.
  init(frame: UnsafeRawBufferPointer, kind: Frame.Kind) {
    switch kind {
    case .ubx: bytes = UnsafeRawBufferPointer(rebasing: frame[6..<frame.count - 2])
    case .rtcm: bytes = UnsafeRawBufferPointer(rebasing: frame[3..<frame.count - 3])
    case .nmea:
      let asterisk = frame.lastIndex(of: UInt8(ascii: "*")) ?? 1
      bytes = UnsafeRawBufferPointer(rebasing: frame[1..<asterisk])
    }
  }

  public var count: Int { bytes.count }

  public func makeIterator() -> UnsafeRawBufferPointer.Iterator { bytes.makeIterator() }

  /// The byte at an offset.
  public subscript(offset: Int) -> UInt8 { u8(offset) }

  /// A copy of the bytes from an offset to the end.
  func array(from offset: Int = 0) -> [UInt8] { Array(bytes[offset...]) }

  /// A copy of some bytes.
  func array(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

  /// The bytes as UTF-8 text, with replacement characters for invalid bytes.
  func text() -> String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes before an offset as UTF-8 text.
  func text(upTo end: Int) -> String { String(decoding: bytes[..<end], as: UTF8.self) }

  /// The first offset of a byte value.
  func firstOffset(of byte: UInt8) -> Int? { bytes.firstIndex(of: byte) }

  @inline(__always)
  func u8(_ offset: Int) -> UInt8 { load(offset) }
  @inline(__always)
  func u16(_ offset: Int) -> UInt16 { load(offset) }
  @inline(__always)
  func u32(_ offset: Int) -> UInt32 { load(offset) }
  @inline(__always)
  func u64(_ offset: Int) -> UInt64 { load(offset) }
  @inline(__always)
  func i8(_ offset: Int) -> Int8 { load(offset) }
  @inline(__always)
  func i16(_ offset: Int) -> Int16 { load(offset) }
  @inline(__always)
  func i32(_ offset: Int) -> Int32 { load(offset) }

  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ offset: Int) -> Number {
    precondition(
      offset >= 0 && offset + MemoryLayout<Number>.size <= bytes.count,
      "a decoder read past the end of its payload")
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
