import BinnacleModel
import StateLog

/// The changes that wait or are under way.
extension RecordKeeper {
  /// Names of stored and pending records.
  var names: [RecordName] {
    let changes =
      pending.flatMap { $0.decision.changes + $0.older } + (flight?.allChanges ?? [])
    var seen: Set<RecordName> = []
    let all = records.entries.map(\.name) + schedule.names + changes.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  /// Whether the disk has this record, or may have it later.
  func mayHold(_ name: RecordName) -> Bool {
    records[name] != nil || doubtful.contains(name) || schedule.holds(name)
      || flight?.allChanges.contains { $0.name == name } ?? false
  }

  /// Whether the log has not answered the close of an app yet.
  func isClosing(_ app: AppID) -> Bool {
    func isOpenClose(_ one: Pending) -> Bool {
      !one.isSettled && one.decision.leads(to: .answerClose(app))
    }
    return flight?.pending.map(isOpenClose) ?? false || pending.contains(where: isOpenClose)
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
