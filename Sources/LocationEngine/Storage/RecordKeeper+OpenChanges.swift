import StateLog

/// The records as they are when all changes are written that wait or are under way.
extension RecordKeeper {
  /// Names of stored and pending records.
  var names: [RecordName] {
    let changes =
      pending.flatMap { $0.decision.changes + $0.older } + (flight?.allChanges ?? [])
    var seen: Set<RecordName> = []
    let all = records.entries.map(\.name) + schedule.names + changes.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  /// The bytes of the records when all changes are written.
  var expectedSize: Int {
    let decided = pending.flatMap { $0.decision.changes }
    let open: [Change] = (flight?.allChanges ?? []) + decided + schedule.changes
    var seen: Set<RecordName> = []
    var size = records.encodedSize
    for change in open.reversed() where seen.insert(change.name).inserted {
      size += records.growth(by: change)
    }
    return size
  }
}
