/// The content of a log: the last value of each name.
public struct RecordSet: Equatable, Sendable {
  public struct Entry: Equatable, Sendable {
    public var name: RecordName
    public var value: [UInt8]
    /// See ``Change/Action/put(_:isCautious:)``.
    public var isCautious: Bool
    /// The number of the commit that wrote the record.
    var sequence: UInt64

    public var change: Change { Change(name, .put(value, isCautious: isCautious)) }
  }

  /// The records; the order depends only on the sequence of applied changes.
  public private(set) var entries: [Entry] = []
  /// The size of all encoded records in bytes.
  public private(set) var encodedSize = 0
  private var places: [RecordName: Int] = [:]
  private var counts: [UInt16: Int] = [:]

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  public subscript(name: RecordName) -> [UInt8]? {
    places[name].map { entries[$0].value }
  }

  /// The number of records of a type.
  public func count(ofKind kind: UInt16) -> Int { counts[kind] ?? 0 }

  func entry(_ name: RecordName) -> Entry? {
    places[name].map { entries[$0] }
  }

  /// Applies a change from a commit.
  public mutating func apply(_ change: Change) {
    apply(change, sequence: 0)
  }

  mutating func apply(_ change: Change, sequence: UInt64) {
    if let place = places[change.name] { encodedSize -= entries[place].change.encodedSize }
    switch change.action {
    case .put(let value, let isCautious):
      encodedSize += change.encodedSize
      let entry = Entry(
        name: change.name, value: value, isCautious: isCautious, sequence: sequence)
      if let place = places[change.name] {
        entries[place] = entry
      } else {
        places[change.name] = entries.count
        entries.append(entry)
        counts[change.name.kind, default: 0] += 1
      }
    case .remove:
      guard let place = places.removeValue(forKey: change.name) else { return }
      counts[change.name.kind, default: 0] -= 1
      let last = entries.removeLast()
      if place < entries.count {
        entries[place] = last
        places[last.name] = place
      }
    }
  }

  /// The difference in encoded bytes that a change makes.
  public func growth(by change: Change) -> Int {
    let before = entry(change.name)?.change.encodedSize ?? 0
    if case .remove = change.action { return -before }
    return change.encodedSize - before
  }

  /// Whether a change has no effect.
  public func isUnchanged(by change: Change) -> Bool {
    switch change.action {
    case .remove: places[change.name] == nil
    case .put(let value, let isCautious):
      entry(change.name).map { $0.value == value && $0.isCautious == isCautious } ?? false
    }
  }

  /// Equal when the same names have the same values, whatever the order of changes.
  public static func == (left: RecordSet, right: RecordSet) -> Bool {
    left.entries.count == right.entries.count
      && left.entries.allSatisfy { right.isUnchanged(by: $0.change) }
  }
}

extension RecordSet: Codable {
  /// Reads the records and computes the other properties from them.
  ///
  /// Only the records are encoded, so no output depends on the order of a hash table.
  public init(from decoder: any Decoder) throws {
    self.init()
    for change in try decoder.singleValueContainer().decode([Change].self) { apply(change) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries.map(\.change))
  }
}
