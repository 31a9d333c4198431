import BinnacleBasics
import StateLog

/// The data for the next start of the receiver: its database, the last position, its identity.
extension Engine {
  /// A position is written again if its time differs by this much from the stored position.
  private static let placePeriod = Interval.seconds(60)

  mutating func noteAssistance(at now: Instant, into effects: inout [Effect]) {
    // While no app gets positions nothing is written, even if the receiver continues to deliver positions.
    if let place = receiver.memory.assistance.place, isNews(place),
      storage.state.isStopping || need == .updates
    {
      notedPlace = place
      keep(RecordTable.lastFix, value: place.bytes, at: now, into: &effects)
    }
    if let key = receiver.connection?.value.assistance.receiver, key != notedReceiver {
      if let before = notedReceiver {
        isAnotherReceiver = true
        effects.append(
          .log(
            .notice, "receiver: another receiver than last time: \(key.text), not \(before.text)"))
      }
      notedReceiver = key
      keep(RecordTable.receiverIdentity, value: key.bytes, at: now, into: &effects)
    }
    guard receiver.memory.assistance.hasNews else { return }
    let databases = receiver.memory.assistance.databases
    guard let database = receiver.takeDatabase() else { return }
    // The number of stored databases is limited: the database of the oldest receiver is removed.
    for entry in storage.state.records.entries
    where entry.name.kind == RecordTable.navigationDatabase.number
      && !databases.contains(where: { $0.receiver.bytes == entry.name.key })
    {
      keep(
        RecordTable.navigationDatabase, key: entry.name.key, value: nil, at: now, into: &effects)
    }
    keep(
      RecordTable.navigationDatabase, key: database.receiver.bytes, value: database.bytes, at: now,
      into: &effects)
  }

  private func isNews(_ place: LastPlace) -> Bool {
    guard let noted = notedPlace else { return true }
    // The difference counts in both directions: a receiver that was years ahead for a moment must not stop the writing.
    let passed = place.time - noted.time
    return passed >= Engine.placePeriod || passed <= .zero - Engine.placePeriod
  }

  /// Takes over the data of an earlier run; unreadable data is logged and ignored.
  mutating func adoptAssistance(into effects: inout [Effect]) {
    var databases: [NavigationDatabase] = []
    for entry in storage.state.records.entries {
      switch entry.name.kind {
      case RecordTable.navigationDatabase.number:
        guard let key = ReceiverKey(bytes: entry.name.key),
          let database = NavigationDatabase(receiver: key, bytes: entry.value)
        else { logAssistance("a navigation database", into: &effects); continue }
        databases.append(database)
      case RecordTable.lastFix.number:
        guard let place = LastPlace(bytes: entry.value) else {
          logAssistance("the last position", into: &effects)
          continue
        }
        receiver.recovered(place)
        notedPlace = place
      case RecordTable.receiverIdentity.number: notedReceiver = ReceiverKey(bytes: entry.value)
      case _: continue
      }
    }
    // A receiver with a wrong clock may date its database in the future. The receiver of the last run therefore counts as the latest.
    func rank(_ database: NavigationDatabase) -> (Int, UTCTime) {
      (database.receiver == notedReceiver ? 1 : 0, database.time)
    }
    for database in databases.sorted(by: { rank($0) < rank($1) }) { receiver.recovered(database) }
  }

  private func logAssistance(_ what: String, into effects: inout [Effect]) {
    effects.append(.log(.warning, "state: \(what) cannot be read, going on without it"))
  }
}
