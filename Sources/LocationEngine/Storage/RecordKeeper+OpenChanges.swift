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

  /// Whether a change of this record is under way, or belongs to a decision that has had its effect and is still to be written.
  func isUnderWay(_ name: RecordName) -> Bool {
    flight?.allChanges.contains { $0.name == name } ?? false
      || pending.contains { $0.isSettled && $0.touches([name]) }
  }

  /// Whether a decision about this record has not had its effect yet.
  func isDeciding(_ name: RecordName) -> Bool {
    func isOpen(_ one: Pending) -> Bool { !one.isSettled && one.touches([name]) }
    return flight?.pending.map(isOpen) ?? false || pending.contains(where: isOpen)
  }

  /// Whether the log has not answered the close of an app yet.
  func isClosing(_ app: AppID) -> Bool {
    func isOpenClose(_ one: Pending) -> Bool {
      !one.isSettled && one.decision.leads(to: .answerClose(app))
    }
    return flight?.pending.map(isOpenClose) ?? false || pending.contains(where: isOpenClose)
  }

  /// At least the bytes of the records when all changes are written; quick to calculate.
  var expectedSizeMax: Int {
    let open = (flight?.allChanges ?? []) + pending.flatMap { $0.decision.changes }
    return open.reduce(records.encodedSize + schedule.waitingSize) { $0 + $1.encodedSize }
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
