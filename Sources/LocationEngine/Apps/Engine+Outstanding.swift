import BinnacleBasics
import BinnacleModel
import StateLog

/// Live updates that outlast apps, the daemon and the power.
extension Engine {
  /// Restores outstanding updates; the receiver works for them from the start.
  mutating func adoptOutstanding(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) {
    let rest = updates.adopt(reading, into: &effects)
    apps.adopt(reading, rest, at: now, into: &effects)
    demandChanged(at: now, into: &effects)
  }

  /// Writes the outstanding updates that are due to the log.
  ///
  /// No update waits for the commit: an app that gets updates has been promised no more. Only what the log has
  /// acknowledged is promised to be taken up again.
  mutating func noteOutstanding(at now: Instant, into effects: inout [Effect]) {
    // Updates that begin while the disk is busy go together, as one change.
    guard !storage.state.isBusy || storage.state.isStopping else { return }
    for note in apps.takeNotes(at: now, into: &effects) {
      keep(RecordTable.liveUpdates, key: note.key, value: note.value, at: now, into: &effects)
    }
  }

  /// When the next write is due; nil while the disk is busy, because the write follows it then.
  var outstandingDue: Instant? { storage.state.isBusy ? nil : apps.outstanding.nextWrite }

  /// The part of the report about outstanding updates.
  func addOutstanding(to report: inout Report, at now: Instant) {
    let outstanding = apps.outstanding
    let apps = outstanding.apps.filter { !$0.isEmpty || $0.rejoinedCount + $0.lapsedCount > 0 }
    report.add("outstanding.apps", .integer(Int64(apps.count { !$0.outstanding.isEmpty })))
    report.add("outstanding.sequences", .integer(Int64(outstanding.count)))
    report.add("outstanding.rejoined", .integer(Int64(outstanding.rejoinedCount)))
    report.add("outstanding.lapsed", .integer(Int64(outstanding.lapsedCount)))
    report.add("outstanding.unread", .integer(Int64(outstanding.unreadCount)))
    for (number, app) in apps.prefix(Engine.outstandingAppsShownMax).enumerated() {
      let name = "outstanding.\(number + 1)"
      report.add("\(name).app", .text("\(app.id)"))
      report.add(name + ".updates", .text("\(app.outstanding)"))
      if !app.awaited.isEmpty {
        report.add(name + ".not_taken_up", .text("\(app.awaited)"))
        report.add(name + ".waits", .text(app.waitInWords(at: now)))
      }
      report.add(name + ".is_kept", .flag(isKept(app)))
      report.add(name + ".rejoined", .integer(Int64(app.rejoinedCount)))
      report.add(name + ".lapsed", .integer(Int64(app.lapsedCount)))
    }
  }

  /// A report is one message of the protocol.
  private static let outstandingAppsShownMax = 32

  /// Whether the outstanding updates would survive a power cut.
  private func isKept(_ app: OutstandingApp) -> Bool {
    guard let name = app.id.recordKey.flatMap(RecordTable.liveUpdates.named) else { return false }
    return storage.state.records[name] == app.outstanding.value
  }
}

extension OutstandingApp {
  fileprivate func waitInWords(at now: Instant) -> String {
    guard let end = nextLapse else { return "until the app is started" }
    return "\(max(.zero, end - now).seconds) s"
  }
}
