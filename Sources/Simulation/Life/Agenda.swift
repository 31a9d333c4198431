import BinnacleBasics

/// Things that happen later, in the order of their instants; things of one instant happen in the order in which they were added.
struct Agenda<Item: Sendable>: Sendable {
  private struct Entry: Sendable {
    let at: Instant
    let number: Int
    let item: Item
  }

  /// The next entry is the last one.
  private var entries: [Entry] = []
  private var lastNumber = 0

  var nextInstant: Instant? { entries.last?.at }

  mutating func add(_ item: Item, at instant: Instant) {
    lastNumber += 1
    let entry = Entry(at: instant, number: lastNumber, item: item)
    let place = entries.lastIndex { $0.at > entry.at }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// Takes the next item that is due.
  mutating func next(at now: Instant) -> Item? {
    guard let last = entries.last, last.at <= now else { return nil }
    return entries.removeLast().item
  }

  mutating func removeAll(where isRemoved: (Item) -> Bool) {
    entries.removeAll { isRemoved($0.item) }
  }
}
