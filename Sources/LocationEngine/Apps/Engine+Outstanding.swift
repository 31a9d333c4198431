import BinnacleBasics
import BinnacleModel
import StateLog

/// Live updates that outlast apps, the daemon and the power.
extension Engine {
  /// Restores outstanding updates; from the start the receiver delivers positions for these updates.
  mutating func adoptOutstanding(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) {
    let rest = updates.adopt(reading, into: &effects)
    apps.adopt(reading, rest, at: now, into: &effects)
    demandChanged(at: now, into: &effects)
  }

  /// Writes the outstanding updates that are due to the log.
  ///
  /// No update waits for the commit. The daemon promises to restore only the updates that the log has acknowledged.
  mutating func noteOutstanding(at now: Instant, into effects: inout [Effect]) {
    // Updates that begin while the disk is busy are written together, as one change.
    guard !storage.state.isBusy || storage.state.isStopping else { return }
    for note in apps.takeNotes(at: now, into: &effects) {
      keep(RecordTable.liveUpdates, key: note.key, value: note.value, at: now, into: &effects)
    }
  }

  /// When the next write is due; nil while the disk is busy, because the write then follows the running commit.
  var outstandingDue: Instant? { storage.state.isBusy ? nil : apps.outstanding.nextWrite }

  /// The part of the report about outstanding updates.
  func addOutstanding(to report: inout Report, at now: Instant) {
    report.add(.promptsOpen, Int64(apps.prompts.prompts.count))
    report.add(.grantsLost, Int64(apps.grants.lostCount))
    let outstanding = apps.outstanding
    let apps = outstanding.apps.filter { !$0.isEmpty || $0.rejoinedCount + $0.lapsedCount > 0 }
    report.add(.outstandingApps, Int64(apps.count { !$0.outstanding.isEmpty }))
    report.add(.outstandingSequences, Int64(outstanding.count))
    report.add(.outstandingRejoined, Int64(outstanding.rejoinedCount))
    report.add(.outstandingLapsed, Int64(outstanding.lapsedCount))
    report.add(.outstandingUnread, Int64(outstanding.unreadCount))
    for (number, app) in apps.prefix(Engine.outstandingAppsShownMax).enumerated() {
      let name = "\(number + 1)"
      report.add(.outstandingApp(name), "\(app.id)")
      report.add(.outstandingUpdates(name), "\(app.outstanding)")
      if !app.awaited.isEmpty {
        report.add(.outstandingNotTakenUp(name), "\(app.awaited)")
        report.add(.outstandingWaits(name), app.waitInWords(at: now))
      }
      report.add(.outstandingIsKept(name), isKept(app))
      report.add(.outstandingAppRejoined(name), Int64(app.rejoinedCount))
      report.add(.outstandingAppLapsed(name), Int64(app.lapsedCount))
    }
  }

  /// The report must fit one message of the protocol.
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
