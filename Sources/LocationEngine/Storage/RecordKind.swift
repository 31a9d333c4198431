import BinnacleModel
public import StateLog

/// A type of record: its number on the disk, how its records are committed, limited and erased, and their text.
public struct RecordKind: Equatable, Sendable {
  /// The number in the log; it is never used for another type, even after this type is removed.
  public let number: UInt16
  /// The name for people.
  public let name: String
  public let commitClass: CommitClass
  /// See `Change.Action.put`.
  public let isCautious: Bool
  /// Whether the records protect a person; see `CommitMark.Protection`.
  public let isProtecting: Bool
  /// Whether the mark of the log names a change before the change is acknowledged, so that damage cannot undo it without
  /// a report.
  public let isNamedAtOnce: Bool
  /// The most bytes that a value of this type has.
  public let valueSizeMax: Int
  /// The most records of this type.
  public let countMax: Int
  let erasure: Erasure
  /// The text of a value for a person; the flag says whether positions are shown.
  let text: @Sendable (_ value: [UInt8], _ showsPlaces: Bool) -> String?

  /// The erase orders that cover a type.
  enum Erasure: Equatable, Sendable {
    /// The log of tracks is erased as a whole.
    case withTracks
    /// No order covers the type.
    case never
    /// `all` covers the type.
    case all
    /// This subject and `all` cover the type.
    case subject(EraseSubject)
  }

  init(
    number: UInt16, name: String, commitClass: CommitClass, isCautious: Bool = false,
    isProtecting: Bool = false, isNamedAtOnce: Bool = false, valueSizeMax: Int, countMax: Int = 1,
    erasure: Erasure,
    text: @escaping @Sendable (_ value: [UInt8], _ showsPlaces: Bool) -> String? = { _, _ in nil }
  ) {
    self.number = number
    self.name = name
    self.commitClass = commitClass
    self.isCautious = isCautious
    self.isProtecting = isProtecting
    self.isNamedAtOnce = isNamedAtOnce
    self.valueSizeMax = valueSizeMax
    self.countMax = countMax
    self.erasure = erasure
    self.text = text
  }

  /// Whether an old value may give back a right that was taken away.
  var isOfRights: Bool { isCautious || isNamedAtOnce }

  public static func == (left: RecordKind, right: RecordKind) -> Bool {
    left.number == right.number
  }

  /// The name of the record with a key; nil when the key is too long.
  public func named(_ key: [UInt8] = []) -> RecordName? {
    RecordName(kind: number, key: key)
  }

  /// A new value for one of the records, or its removal.
  ///
  /// - Parameters:
  ///   - key: the record's key within its type.
  ///   - value: nil to remove the record.
  /// - Returns: the change.
  /// - Throws: why the record is not possible.
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
