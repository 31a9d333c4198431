import BinnacleBasics
import BinnacleModel

/// The records of the locations in an app's queue, so that the locations outlast the daemon and the power.
///
/// Locations get a record when the first of them has waited for a minute. A queue that is delivered within a minute causes no
/// write. A record is removed when none of its locations waits any more. Other updates get no record: after a
/// restart the daemon finds the present reasons anew.
struct QueueRecords: Equatable, Codable, Sendable {
  /// A change of a record.
  struct Note: Equatable {
    let number: UInt32
    /// nil: the record is removed.
    let value: [UInt8]?
  }

  /// A record for more than one configuration.
  private struct Shared: Equatable, Codable {
    let number: UInt32
    let configurationCount: Int
  }

  /// The numbers of the records, ascending.
  private(set) var numbers: [UInt32] = []
  /// The records for more than one configuration.
  private var shared: [Shared] = []
  private var next: UInt32 = 0
  /// Since when a location has no record; nil: every location has one.
  private var waitingSince: Instant?
  /// Whether the queue has changed since its records were last compared with it.
  var isStale = false

  /// When locations get a record without an event; nil: every location has a record.
  var nextWrite: Instant? { waitingSince.map { $0 + CommitClass.group.delayMax } }

  /// The changes that are due, for the entries of the queue.
  mutating func takeNotes(
    of entries: inout [UpdateQueue.Entry], at now: Instant, isStopping: Bool,
    _ configurations: (UpdateQueue.Target) -> [LiveConfiguration]
  ) -> [Note] {
    let isSplit = split(&entries, configurations)
    let used = Set(entries.compactMap(\.record))
    var notes = numbers.filter { !used.contains($0) }.map { Note(number: $0, value: nil) }
    numbers.removeAll { !used.contains($0) }
    shared.removeAll { !used.contains($0.number) }
    let open = entries.indices.filter { index in
      entries[index].record == nil && entries[index].update.fix != nil
    }
    waitingSince = open.isEmpty ? nil : waitingSince ?? now
    guard let due = nextWrite, isStopping || isSplit || due <= now else { return notes }
    waitingSince = nil
    for group in groups(of: open, in: entries) {
      let wanted = configurations(entries[group[0]].target)
      let record = WaitingUpdatesRecord(group.map { entries[$0].update }, for: wanted)
      for index in group { entries[index].record = next }
      if let record {
        numbers.append(next)
        note(wanted.count, of: next)
        notes.append(Note(number: next, value: record.bytes))
      }
      next &+= 1
    }
    return notes
  }

  /// Takes entries from their records if the locations of these records were delivered to one configuration and wait for another.
  ///
  /// After a restart such a record would deliver its locations to the first one again.
  private mutating func split(
    _ entries: inout [UpdateQueue.Entry],
    _ configurations: (UpdateQueue.Target) -> [LiveConfiguration]
  ) -> Bool {
    var isSplit = false
    for record in shared {
      let own = entries.indices.filter { entries[$0].record == record.number }
      let waiting = Set(own.flatMap { configurations(entries[$0].target) })
      guard !own.isEmpty, waiting.count < record.configurationCount else { continue }
      for index in own { entries[index].record = nil }
      isSplit = true
    }
    return isSplit
  }

  private mutating func note(_ configurationCount: Int, of number: UInt32) {
    guard configurationCount > 1 else { return }
    shared.append(Shared(number: number, configurationCount: configurationCount))
  }

  /// The entries of one target each, at most as many as a record has.
  private func groups(of open: [Int], in entries: [UpdateQueue.Entry]) -> [[Int]] {
    var groups: [[Int]] = []
    for index in open {
      let group = groups.lastIndex { entries[$0[0]].target == entries[index].target }
      if let group, groups[group].count < WaitingUpdatesRecord.countMax {
        groups[group].append(index)
      } else {
        groups.append([index])
      }
    }
    return groups
  }

  /// A record of an earlier run was taken over.
  mutating func recalled(_ number: UInt32, configurationCount: Int) {
    numbers.append(number)
    note(configurationCount, of: number)
    next = max(next, number &+ 1)
  }

  /// Gives up the oldest record; returns its number, nil without a record.
  mutating func giveUpOldest() -> UInt32? {
    numbers.isEmpty ? nil : numbers.removeFirst()
  }
}
