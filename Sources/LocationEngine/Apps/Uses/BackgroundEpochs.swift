import BinnacleBasics
import BinnacleModel
import StateLog

/// The latest epochs of background use and of operators' tools, which the log of state keeps.
///
/// An epoch is written when it begins, while locations are delivered after each of ``savePeriods``, and when it ends. After a kill or
/// a power cut the record lacks at most the locations of the last period.
///
/// The use by an operator's tool takes nothing from a person's decision, so its record waits: for a location an hour after its
/// beginning or its last record, and until a minute after its end.
///
/// The reader of a door that returns within a minute continues its epoch, and so does an operator's tool. From then on the end of the
/// epoch waits a minute for its record, so that a reader that connects again and again costs no commit for each connection.
///
/// While the log cannot be read, no epoch is written. When the log can be read later, the epochs of this run get numbers after those of
/// the log.
///
/// When the daemon stops, each epoch gets a record with its end. Locations that are delivered until the daemon has ended are in
/// a further record.
struct BackgroundEpochs: Equatable, Codable, Sendable {
  private(set) var entries: [Entry] = []
  private var lastNumber: UInt32 = 0
  private(set) var unreadCount = 0
  /// When the next record is due; nil if all records are up to date.
  private(set) var nextWrite: Instant?
  private var removedNumbers: [UInt32] = []
  private var budget = CommitBudget()
  /// Whether the daemon stops, so that all records are due.
  private var isStopping = false
  /// Whether the log could not be read yet.
  private var isUnread = false

  struct Entry: Equatable, Codable, Sendable {
    /// Numbers increase; the number is the key of the record.
    fileprivate(set) var number: UInt32
    var epoch: BackgroundEpoch
    /// When the record is due; nil if it is up to date.
    var writeAt: Instant?
    /// How often a number of locations was written.
    var saveCount = 0
    /// The beginning, or the last write.
    var savedAt = Instant.zero
    /// The locations before the reader of a door, or the tool, has returned.
    var earlierCount = 0
    /// The end in this run of the daemon; nil before.
    var endedAt: Instant?
    /// Whether the reader of a door, or the tool, has returned.
    var hasReturned = false
  }

  /// The most epochs, if one of them has ended.
  static let countMax = 128
  /// Further epochs while none has ended; an epoch that continues needs its record for its end.
  static let spareMax = 8
  /// The times between the locations that an epoch has and their record; the last one repeats.
  static let savePeriods: [Interval] = [.seconds(10), .seconds(290), .seconds(3_600)]

  /// The time from the beginning or the last record of the use by a tool to its next record.
  static let operatorPeriod = Interval.seconds(3_600)
  /// The time from the end of the use by a tool to its record.
  static let operatorEndDelay = Interval.seconds(60)
  /// The time in which the reader of a door, or a tool, may return to its epoch.
  static let returnWindow = Interval.seconds(60)

  // MARK: Inputs

  /// An epoch begins, or the reader of a door or a tool returns to its last one; returns the number.
  mutating func begin(_ epoch: BackgroundEpoch, at now: Instant) -> UInt32 {
    if let index = continuedIndex(by: epoch, at: now) {
      entries[index].epoch.hasEnded = false
      entries[index].earlierCount = entries[index].epoch.updateCount
      entries[index].hasReturned = true
      // A record that says that the epoch has ended is wrong now; no record of a tool that may return says so.
      entries[index].writeAt = epoch.right == .operator ? nil : entries[index].writeAt ?? now
      settle()
      return entries[index].number
    }
    lastNumber &+= 1
    let writeAt = epoch.right == .operator ? nil : now
    entries.append(Entry(number: lastNumber, epoch: epoch, writeAt: writeAt, savedAt: now))
    removeObsolete()
    settle()
    return lastNumber
  }

  private mutating func removeObsolete() {
    while entries.count > BackgroundEpochs.countMax, let index = obsoleteIndex {
      let number = entries.remove(at: index).number
      // The log has no record with a number of this run before it could be read.
      if !isUnread { removedNumbers.append(number) }
    }
  }

  /// The epoch to which the reader of a door or a tool returns; nil if there is none.
  private func continuedIndex(by epoch: BackgroundEpoch, at now: Instant) -> Int? {
    guard epoch.app.isDoor || epoch.right == .operator else { return nil }
    return entries.lastIndex { entry in
      guard entry.epoch.hasEnded, let endedAt = entry.endedAt else { return false }
      return entry.epoch.app == epoch.app && entry.epoch.right == epoch.right
        && entry.epoch.isLampVerified == epoch.isLampVerified
        && now - endedAt < BackgroundEpochs.returnWindow
    }
  }

  /// The epoch that is removed when another begins; nil while there is a place for it.
  ///
  /// Neither the uses by tools nor those of the latest app take more than half of the places. An epoch that continues is not
  /// removed, unless all epochs continue and take the spare places, too.
  private var obsoleteIndex: Int? {
    let ended = entries.indices.filter { entries[$0].epoch.hasEnded }
    guard let oldest = ended.first else {
      return entries.count > BackgroundEpochs.countMax + BackgroundEpochs.spareMax ? 0 : nil
    }
    func oldestOfMany(_ isMeant: (BackgroundEpoch) -> Bool) -> Int? {
      let count = entries.count { isMeant($0.epoch) }
      return count > BackgroundEpochs.countMax / 2
        ? ended.first { isMeant(entries[$0].epoch) } : nil
    }
    let latest = entries.last?.epoch.app
    return oldestOfMany { $0.right == .operator } ?? oldestOfMany { $0.app == latest } ?? oldest
  }

  /// Locations of an epoch were delivered.
  mutating func delivered(_ count: Int, in number: UInt32, at now: Instant) {
    guard let index = index(of: number) else { return }
    entries[index].epoch.updateCount = entries[index].earlierCount + count
    guard entries[index].writeAt == nil else { return }
    if isStopping {
      entries[index].writeAt = now
    } else if entries[index].epoch.right == .operator {
      guard now - entries[index].savedAt >= BackgroundEpochs.operatorPeriod else { return }
      entries[index].writeAt = now
    } else {
      let period = min(entries[index].saveCount, BackgroundEpochs.savePeriods.count - 1)
      entries[index].writeAt = now + BackgroundEpochs.savePeriods[period]
    }
    settle()
  }

  mutating func end(_ number: UInt32, updateCount: Int, time: UTCTime?, at now: Instant) {
    guard let index = index(of: number) else { return }
    let before = entries[index].epoch
    entries[index].epoch = BackgroundEpoch(
      app: before.app, right: before.right, from: before.from, to: time,
      updateCount: entries[index].earlierCount + updateCount, hasEnded: true,
      isLampVerified: before.isLampVerified)
    entries[index].endedAt = now
    let due = now + endDelay(of: entries[index])
    entries[index].writeAt = min(entries[index].writeAt ?? due, due)
    settle()
  }

  /// The daemon stops: each epoch that continues gets a record with its end.
  mutating func stopRequested(at now: Instant) {
    isStopping = true
    for index in entries.indices where !entries[index].epoch.hasEnded {
      entries[index].writeAt = now
    }
    settle()
  }

  /// Until when a tool may continue its use that has ended; nil for each other epoch.
  private func endOfReturn(of entry: Entry) -> Instant? {
    guard entry.epoch.right == .operator, entry.epoch.hasEnded else { return nil }
    return entry.endedAt.map { $0 + BackgroundEpochs.operatorEndDelay }
  }

  /// The time from the end of an epoch to its record.
  private func endDelay(of entry: Entry) -> Interval {
    if entry.epoch.right == .operator { return BackgroundEpochs.operatorEndDelay }
    return entry.hasReturned ? BackgroundEpochs.returnWindow : .zero
  }

  // MARK: The log

  /// Takes the epochs of earlier runs; an epoch without an end has ended at its last write.
  ///
  /// - Parameters:
  ///   - reading: the log at the start, or when it could be read later.
  ///   - isFirst: whether it is the reading of the start.
  /// - Returns: the number that is added to the numbers of the epochs of this run.
  mutating func adopt(_ reading: StateReading, isFirst: Bool) -> UInt32 {
    guard isFirst || isUnread else { return 0 }
    isUnread = reading.obstacle != nil
    let present = entries
    entries = []
    let kind = RecordTable.backgroundEpoch.number
    for record in reading.records.entries where record.name.kind == kind {
      guard let number = BackgroundEpochs.number(of: record.name.key),
        var epoch = BackgroundEpoch(bytes: record.value)
      else {
        unreadCount += 1
        continue
      }
      epoch.isInterrupted = !epoch.hasEnded
      epoch.hasEnded = true
      entries.append(Entry(number: number, epoch: epoch, writeAt: nil))
    }
    entries.sort { $0.number < $1.number }
    let offset = entries.last?.number ?? 0
    entries += present.map { entry in
      var entry = entry
      entry.number &+= offset
      return entry
    }
    lastNumber &+= offset
    removeObsolete()
    settle()
    return offset
  }

  /// Takes the due records, which count as written after the call.
  ///
  /// - Parameters:
  ///   - now: the instant.
  ///   - time: the time; nil if it is unknown.
  /// - Returns: the records to write now.
  mutating func takeNotes(at now: Instant, time: UTCTime?) -> [OutstandingUpdates.Note] {
    guard let due = nextWrite, isStopping || due <= now else { return [] }
    var notes = removedNumbers.map {
      OutstandingUpdates.Note(key: BackgroundEpochs.key(of: $0), value: nil)
    }
    removedNumbers = []
    for index in entries.indices {
      guard let due = entries[index].writeAt, isStopping || due <= now else { continue }
      entries[index].writeAt = nil
      entries[index].savedAt = now
      if entries[index].epoch.updateCount > 0 { entries[index].saveCount += 1 }
      if !entries[index].epoch.hasEnded, let time { entries[index].epoch.to = time }
      var epoch = entries[index].epoch
      if isStopping {
        epoch.hasEnded = true
      } else if let end = endOfReturn(of: entries[index]), now < end {
        epoch.hasEnded = false
        entries[index].writeAt = end
      }
      notes.append(
        OutstandingUpdates.Note(
          key: BackgroundEpochs.key(of: entries[index].number), value: epoch.bytes))
    }
    budget.spend(BackgroundEpochs.owner, at: now)
    settle()
    return notes
  }

  mutating func erase() {
    entries.removeAll { $0.epoch.hasEnded }
    removedNumbers = []
    settle()
  }

  // MARK: Parts

  private static let owner = DefaultsKey.Owner(ofUser: 0)

  private func index(of number: UInt32) -> Int? { entries.firstIndex { $0.number == number } }

  private mutating func settle() {
    let due = removedNumbers.isEmpty ? entries.compactMap(\.writeAt).min() : .zero
    nextWrite = isUnread ? nil : due.map { max($0, budget.nextTurn(of: BackgroundEpochs.owner)) }
  }

  private static func key(of number: UInt32) -> [UInt8] {
    var digits = Array(String(number).utf8)
    while digits.count < 10 { digits.insert(48, at: 0) }
    return digits
  }

  private static func number(of key: [UInt8]) -> UInt32? {
    key.count == 10 ? UInt32(String(decoding: key, as: UTF8.self)) : nil
  }
}
