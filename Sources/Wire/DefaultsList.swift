import BinnacleModel

/// Entries in the byte order of their keys; each key is present once.
struct DefaultsList: Equatable, Sendable {
  private(set) var entries: [DefaultsEntry] = []
  /// The size of all keys and values in bytes.
  private(set) var size = 0

  init() {}

  var count: Int { entries.count }

  /// The entry of a key; an entry without a value stands for a removal.
  subscript(key: String) -> DefaultsEntry? {
    let place = place(of: key)
    return isAt(place, key) ? entries[place] : nil
  }

  /// Adds an entry or replaces the entry with the same key.
  mutating func put(_ entry: DefaultsEntry) {
    let place = place(of: entry.key)
    size += entry.size
    if isAt(place, entry.key) {
      size -= entries[place].size
      entries[place] = entry
    } else {
      entries.insert(entry, at: place)
    }
  }

  /// Applies an entry; an entry without a value removes the key.
  mutating func apply(_ entry: DefaultsEntry) {
    if entry.value != nil { return put(entry) }
    let place = place(of: entry.key)
    guard isAt(place, entry.key) else { return }
    size -= entries.remove(at: place).size
  }

  /// The keys whose entries differ between the two lists, or are missing in one of them.
  func keysDiffering(from other: DefaultsList) -> [String] {
    var all = other
    for entry in entries { all.put(entry) }
    return all.entries.map(\.key).filter { self[$0]?.value != other[$0]?.value }
  }

  private func isAt(_ place: Int, _ key: String) -> Bool {
    place < entries.count && entries[place].key.utf8.elementsEqual(key.utf8)
  }

  /// The index of a key, or its insertion point.
  private func place(of key: String) -> Int {
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
