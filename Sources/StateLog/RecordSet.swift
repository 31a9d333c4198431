/// What a log holds: the last value of each name.
public struct RecordSet: Equatable, Sendable {
  public struct Entry: Equatable, Sendable {
    public var name: RecordName
    public var value: [UInt8]
    /// See ``Change/Action/put(_:isCautious:)``.
    public var isCautious: Bool
    /// The number of the commit that it is from.
    var sequence: UInt64

    public var change: Change { Change(name, .put(value, isCautious: isCautious)) }
  }

  /// In an order that depends on nothing but what was applied.
  public private(set) var entries: [Entry] = []
  /// What they take as records, in bytes.
  public private(set) var encodedSize = 0
  private var places: [RecordName: Int] = [:]
  private var counts: [UInt16: Int] = [:]

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  public subscript(name: RecordName) -> [UInt8]? {
    places[name].map { entries[$0].value }
  }

  /// How many records of a type there are.
  public func count(ofKind kind: UInt16) -> Int { counts[kind] ?? 0 }

  func entry(_ name: RecordName) -> Entry? {
    places[name].map { entries[$0] }
  }

  /// Takes a change that a commit has written.
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

  /// What a change makes different in the bytes that the records take.
  func growth(by change: Change) -> Int {
    let before = entry(change.name)?.change.encodedSize ?? 0
    if case .remove = change.action { return -before }
    return change.encodedSize - before
  }

  /// Whether a change would leave everything as it is.
  public func isUnchanged(by change: Change) -> Bool {
    switch change.action {
    case .remove: places[change.name] == nil
    case .put(let value, let isCautious):
      entry(change.name).map { $0.value == value && $0.isCautious == isCautious } ?? false
    }
  }

  /// Equal when the same names have the same values, whatever way they came there.
  public static func == (left: RecordSet, right: RecordSet) -> Bool {
    left.entries.count == right.entries.count
      && left.entries.allSatisfy { right.isUnchanged(by: $0.change) }
  }
}

extension RecordSet: Codable {
  /// Only what the records say: the rest follows from it, and no table is written in the order of its hashes.
  public init(from decoder: any Decoder) throws {
    self.init()
    for change in try decoder.singleValueContainer().decode([Change].self) { apply(change) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries.map(\.change))
  }
}
