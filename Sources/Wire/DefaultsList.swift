import BinnacleModel

/// Entries in the order of their keys' bytes, each key once.
struct DefaultsList: Equatable, Sendable {
  private(set) var entries: [DefaultsEntry] = []
  /// Bytes of keys and values.
  private(set) var size = 0

  init() {}

  var count: Int { entries.count }

  /// The entry of a key; it may say that there is no value.
  subscript(key: String) -> DefaultsEntry? {
    let place = place(of: key)
    return isAt(place, key) ? entries[place] : nil
  }

  /// Puts an entry in the place of the one with its key.
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

  /// Makes an entry count: one without a value leaves none.
  mutating func apply(_ entry: DefaultsEntry) {
    if entry.value != nil { return put(entry) }
    let place = place(of: entry.key)
    guard isAt(place, entry.key) else { return }
    size -= entries.remove(at: place).size
  }

  /// The keys whose entries are others, or only in one of the two.
  func keysDiffering(from other: DefaultsList) -> [String] {
    var all = other
    for entry in entries { all.put(entry) }
    return all.entries.map(\.key).filter { self[$0]?.value != other[$0]?.value }
  }

  private func isAt(_ place: Int, _ key: String) -> Bool {
    place < entries.count && entries[place].key.utf8.elementsEqual(key.utf8)
  }

  /// Where a key is, or would be.
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
