/// A type of record: its number on the disk and how it is treated.
public struct RecordKind: Equatable, Sendable {
  /// Its number in the log; never used for anything else, even when the type is gone.
  public let number: UInt16
  /// Its name for people.
  public let name: String
  public let commitClass: CommitClass
  /// See ``Change/Action/put(_:isCautious:)``.
  public let isCautious: Bool
  /// The most bytes that a value of this type has.
  public let valueSizeMax: Int
  /// The most records of this type.
  public let countMax: Int

  /// The name of one of its records.
  ///
  /// - Returns: nil when the key is too long.
  public func named(_ key: [UInt8] = []) -> RecordName? {
    RecordName(kind: number, key: key)
  }

  /// A new value for one of its records, or that there is none any more.
  ///
  /// - Parameters:
  ///   - key: which one of this type.
  ///   - value: nil to remove it.
  /// - Returns: the change.
  /// - Throws: why there can be no such record.
  public func change(key: [UInt8] = [], to value: [UInt8]?) throws(RecordRefusal) -> Change {
    guard let name = named(key) else {
      throw .keyTooLong(size: key.count, sizeMax: RecordName.keySizeMax)
    }
    guard let value else { return Change(name, .remove) }
    guard value.count <= valueSizeMax else {
      throw .valueTooLarge(kind: self.name, size: value.count, sizeMax: valueSizeMax)
    }
    return Change(name, .put(value, isCautious: isCautious))
  }
}
