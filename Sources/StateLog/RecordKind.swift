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
}
