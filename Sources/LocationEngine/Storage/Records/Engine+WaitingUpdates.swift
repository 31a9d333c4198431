import BinnacleBasics
import BinnacleModel
import StateLog

/// The locations that wait for suspended apps and for apps without a process, over restarts and power cuts.
extension Engine {
  /// Writes the waiting locations that are due, and removes the records of delivered ones.
  mutating func noteWaiting(at now: Instant, into effects: inout [Effect]) {
    // While the disk is busy, more locations join the next record.
    guard !apps.lives.isEmpty, storage.state.log.condition != .unread,
      !storage.state.isBusy || storage.state.isStopping
    else { return }
    makeRoom(for: 0, at: now, into: &effects)
    let updates = updates
    for app in livesWithRecords.map(\.app) {
      let notes = apps.lives.change(app) { life in
        life.queue.takeNotes(at: now, isStopping: storage.state.isStopping) { target in
          updates.configurations(of: target)
        }
      }
      for note in notes {
        guard let key = WaitingUpdatesKey(app: app, number: note.number).bytes else { continue }
        if let change = try? RecordTable.waitingUpdates.change(key: key, to: note.value),
          change.action != .remove
        {
          makeRoom(for: change.encodedSize, isForRecord: true, at: now, into: &effects)
          // Without room the new record is given up, too.
          guard apps.lives[app]?.queue.records.numbers.contains(note.number) == true else {
            continue
          }
        }
        keep(RecordTable.waitingUpdates, key: key, value: note.value, at: now, into: &effects)
      }
    }
  }

  /// When the next record of waiting locations is due; nil while the disk is busy.
  var waitingDue: Instant? {
    guard !storage.state.isBusy else { return nil }
    return livesWithRecords.reduce(nil) { earlier($0, $1.queue.records.nextWrite) }
  }

  /// The apps whose waiting locations are written; those of an app that is being resumed are delivered in a moment.
  private var livesWithRecords: [AppLife] { apps.lives.lives.filter { $0.state != .thawing } }

  /// Gives up the oldest records of waiting locations, so that the log keeps room for decisions.
  ///
  /// - Parameters:
  ///   - size: the bytes by which other records grow, or the bytes of the next record of waiting locations.
  ///   - isForRecord: whether a record of waiting locations is added.
  ///   - now: the time.
  ///   - effects: gets the commits.
  mutating func makeRoom(
    for size: Int, isForRecord: Bool = false, at now: Instant, into effects: inout [Effect]
  ) {
    guard apps.lives.lives.contains(where: { !$0.queue.records.numbers.isEmpty }) else { return }
    var count = storage.state.records.count(ofKind: RecordTable.waitingUpdates.number)
    let sizeMax = StorageLimits.sizeMaxWithWaitingUpdates(storage.state.schedule.geometry)
    // A removal under way still counts.
    let countMax = RecordTable.waitingUpdates.countMax - 1
    guard isForRecord || storage.state.expectedSizeMax + size > sizeMax else { return }
    while storage.state.expectedSize + size > sizeMax || isForRecord && count >= countMax {
      let longest = apps.lives.lives.max {
        $0.queue.records.numbers.count < $1.queue.records.numbers.count
      }
      guard let app = longest?.app,
        let number = apps.lives.change(app, { $0.queue.giveUpOldestRecord() })
      else { return }
      count -= 1
      guard let key = WaitingUpdatesKey(app: app, number: number).bytes else { continue }
      keep(RecordTable.waitingUpdates, key: key, value: nil, at: now, into: &effects)
    }
  }

  /// Takes over the locations that waited when the daemon ended.
  ///
  /// A log that could not be read at the start is too late: its records are removed.
  mutating func adoptWaiting(
    _ reading: StateReading, isFirst: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    var recalled: [(key: WaitingUpdatesKey, record: WaitingUpdatesRecord)] = []
    for entry in reading.records.entries
    where entry.name.kind == RecordTable.waitingUpdates.number {
      let key = WaitingUpdatesKey(bytes: entry.name.key)
      if let key, apps.lives[key.app]?.queue.records.numbers.contains(key.number) == true {
        continue
      }
      if isFirst, let key, let record = WaitingUpdatesRecord(bytes: entry.value) {
        recalled.append((key, record))
      } else {
        effects.append(
          .log(
            .warning, "waiting updates of \(key.map { "\($0.app)" } ?? "an app"): not taken over"))
        keep(
          RecordTable.waitingUpdates, key: entry.name.key, value: nil, at: now, into: &effects)
      }
    }
    let countMax = apps.lives.settings.queueMax
    for (key, record) in recalled.sorted(by: { $0.key.number < $1.key.number }) {
      apps.lives.change(key.app) {
        $0.queue.recall(record, number: key.number, countMax: countMax)
      }
    }
    apps.dropLapsedUpdates()
    apps.dropForbiddenUpdates()
    for app in Set(recalled.map(\.key.app)).sorted(by: { "\($0)" < "\($1)" }) {
      let count = apps.lives[app]?.queue.entries.count ?? 0
      let waiting = CountText.words(count, "update waits", "updates wait")
      effects.append(
        .log(
          .notice,
          "\(app): \(waiting) from before the start; after a power cut, those of the last minute are missing"
        ))
    }
  }
}

extension UpdateTable {
  /// The configurations of the sequences that waiting updates are for.
  fileprivate func configurations(of target: UpdateQueue.Target) -> [LiveConfiguration] {
    switch target {
    case .nextSequence(let configuration): return [configuration]
    case .sequences(let client, let ids):
      let open = sequences(of: client).filter { ids.contains($0.id) }
      return LiveConfiguration.allCases.filter { one in open.contains { $0.configuration == one } }
    }
  }
}
