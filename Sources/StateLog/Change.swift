import BinnacleBasics

/// A record of the log: a new value for a name, or the removal of the name.
public struct Change: Equatable, Codable, Sendable {
  public enum Action: Equatable, Codable, Sendable {
    /// - Parameter isCautious: whether recovery drops the record if damage may have destroyed a later change of it. Use
    ///   it for records that grant a permission: a lost revocation must not restore an old grant.
    case put([UInt8], isCautious: Bool)
    case remove
  }

  public var name: RecordName
  public var action: Action

  public init(_ name: RecordName, _ action: Action) {
    self.name = name
    self.action = action
  }

  /// Bytes before key and value.
  static let headerSize = 12

  /// The size of the encoded record in bytes.
  public var encodedSize: Int {
    switch action {
    case .put(let value, _): Change.headerSize + name.key.count + value.count
    case .remove: Change.headerSize + name.key.count
    }
  }

  /// Appends the record to a commit's bytes; see `Docs/SPEC-state.md`.
  ///
  /// - Returns: the checksum of the record.
  @discardableResult
  func encode(into bytes: inout [UInt8]) -> UInt32 {
    var value: [UInt8] = []
    var flags: UInt8 = 1
    if case .put(let put, let isCautious) = action {
      value = put
      flags = isCautious ? 2 : 0
    }
    var head = ByteWriter()
    head.u16(name.kind)
    head.u8(flags)
    head.u8(UInt8(name.key.count))
    head.u32(UInt32(value.count))
    var sum = CRC32C()
    sum.add(head.bytes[...])
    sum.add(name.key[...])
    sum.add(value[...])
    head.u32(sum.value)
    bytes += head.bytes
    bytes += name.key
    bytes += value
    return sum.value
  }

  /// Reads the records of a complete commit.
  ///
  /// - Returns: the records; nil when a record is damaged, or when the checksum of the records differs from `digest`.
  static func decodeAll(_ bytes: [UInt8], digest: UInt32) -> [Change]? {
    var sums = CRC32C()
    let changes = decodeAll(bytes, sums: &sums)
    return sums.value == digest ? changes : nil
  }

  /// Reads consecutive records; nil when a record is damaged.
  static func decodeAll(_ bytes: [UInt8]) -> [Change]? {
    var sums = CRC32C()
    return decodeAll(bytes, sums: &sums)
  }

  private static func decodeAll(_ bytes: [UInt8], sums: inout CRC32C) -> [Change]? {
    var changes: [Change] = []
    var offset = 0
    while offset < bytes.count {
      var reader = ByteReader(bytes[offset..<min(offset + headerSize, bytes.count)])
      guard let kind = reader.u16(), let flags = reader.u8(), let keySize = reader.u8(),
        let valueSize = reader.u32(), let said = reader.u32(),
        valueSize <= BlockHeader.payloadSizeMax
      else { return nil }
      let keyStart = offset + headerSize
      let valueStart = keyStart + Int(keySize)
      let end = valueStart + Int(valueSize)
      guard end <= bytes.count else { return nil }
      var sum = CRC32C()
      sum.add(bytes[offset..<offset + 8])
      sum.add(bytes[keyStart..<end])
      guard sum.value == said,
        let name = RecordName(kind: kind, key: Array(bytes[keyStart..<valueStart]))
      else { return nil }
      sums.add(said)
      let value = Array(bytes[valueStart..<end])
      let isRemoval = flags & 1 != 0
      changes.append(
        Change(name, isRemoval ? .remove : .put(value, isCautious: flags & 2 != 0)))
      offset = end
    }
    return changes
  }
}
