import BinnacleBasics

/// A record as it is appended: a new value for a name, or that there is none any more.
public struct Change: Equatable, Codable, Sendable {
  public enum Action: Equatable, Codable, Sendable {
    /// - Parameter isCautious: forget the record, rather than believe it, when a later change of it may have been lost
    ///   to damage. For what gives somebody something: a lost "no" must not bring back an old "yes".
    case put([UInt8], isCautious: Bool)
    case remove
  }

  public var name: RecordName
  public var action: Action

  public init(_ name: RecordName, _ action: Action) {
    self.name = name
    self.action = action
  }

  /// What stands in front of key and value.
  static let headerSize = 12

  /// How many bytes the record takes.
  public var encodedSize: Int {
    switch action {
    case .put(let value, _): Change.headerSize + name.key.count + value.count
    case .remove: Change.headerSize + name.key.count
    }
  }

  /// Appends the record to a commit's bytes; see `Docs/SPEC-state.md`.
  ///
  /// - Returns: its checksum.
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

  /// Reads the records of a whole commit.
  ///
  /// - Returns: nil when one is damaged or they are not those that `digest` was made of.
  static func decodeAll(_ bytes: [UInt8], digest: UInt32) -> [Change]? {
    var sums = CRC32C()
    let changes = decodeAll(bytes, sums: &sums)
    return sums.value == digest ? changes : nil
  }

  /// Reads records that stand one behind the other; nil when one is damaged.
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
