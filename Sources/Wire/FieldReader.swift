import BinnacleBasics

/// Reads the fields of one message; an error names the missing or wrong field.
struct FieldReader {
  let type: UInt8
  private var reader: ByteReader

  init(_ packet: [UInt8], sizeMax: Int) throws(WireError) {
    guard packet.count <= sizeMax else { throw .packetTooLong(count: packet.count) }
    reader = ByteReader(packet)
    guard let type = reader.u8() else { throw .packetEmpty }
    self.type = type
  }

  mutating func u8() throws(WireError) -> UInt8 { try present(reader.u8()) }
  mutating func u16() throws(WireError) -> UInt16 { try present(reader.u16()) }
  mutating func u32() throws(WireError) -> UInt32 { try present(reader.u32()) }
  mutating func i64() throws(WireError) -> Int64 { try present(reader.i64()) }
  mutating func take(_ count: Int) throws(WireError) -> [UInt8] { try present(reader.take(count)) }

  /// A finite number; infinities and NaN are refused, so that later code never meets them.
  mutating func number(_ field: String) throws(WireError) -> Double {
    let value = try present(reader.f64())
    guard value.isFinite else { throw invalid(field) }
    return value
  }

  /// A byte that is 0 or 1.
  mutating func flag(_ field: String) throws(WireError) -> Bool {
    let value = try u8()
    guard value <= 1 else { throw invalid(field) }
    return value == 1
  }

  /// UTF-8 text after a 16-bit count of its bytes.
  mutating func text(_ field: String, sizeMax: Int = 65_535) throws(WireError) -> String {
    let count = Int(try u16())
    guard count <= sizeMax else { throw invalid(field) }
    let bytes = try take(count)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw invalid(field) }
    return text
  }

  /// A byte that encodes a case.
  mutating func choice<Choice: RawRepresentable<UInt8>>(
    _ field: String
  ) throws(WireError) -> Choice {
    guard let choice = Choice(rawValue: try u8()) else { throw invalid(field) }
    return choice
  }

  /// Ends the message; throws if bytes remain.
  func finish() throws(WireError) {
    guard reader.remaining == 0 else {
      throw .bytesLeftOver(type: type, count: reader.remaining)
    }
  }

  func invalid(_ field: String) -> WireError { .valueInvalid(type: type, field: field) }

  private func present<Value>(_ value: Value?) throws(WireError) -> Value {
    guard let value else { throw .truncated(type: type) }
    return value
  }
}

extension ByteWriter {
  /// UTF-8 text after a 16-bit count of its bytes, cut between characters to at most `sizeMax` bytes.
  mutating func text(_ text: String, sizeMax: Int) {
    var kept = text[...]
    while kept.utf8.count > sizeMax { kept.removeLast() }
    self.text(String(kept))
  }
}
