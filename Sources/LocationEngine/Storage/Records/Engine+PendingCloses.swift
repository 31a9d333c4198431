import BinnacleBasics
import BinnacleModel
import StateLog

/// Apps that a person has closed and that have not ended yet, over restarts of the daemon.
///
/// An app may ignore SIGTERM, and a daemon that ends before the app is killed leaves the app running. The next daemon
/// finds the record, and kills the app as soon as the launcher reports it. Without the record the app would take up its
/// updates again although a person has closed it.
///
/// The key is the app as text, the value a version.
extension Engine {
  private static let recordVersion: UInt8 = 1

  mutating func notePendingCloses(at now: Instant, into effects: inout [Effect]) {
    let isPending = apps.lives.lives.contains(where: \.isPendingClose)
    guard isPending || !notedCloses.isEmpty, storage.state.log.condition != .unread else { return }
    let closes = apps.lives.lives.filter(\.isPendingClose).map(\.app)
    guard closes != notedCloses else { return }
    let changed = (notedCloses + closes).filter {
      notedCloses.contains($0) != closes.contains($0)
    }
    notedCloses = closes
    for app in changed {
      guard let key = app.recordKey else { continue }
      let value = closes.contains(app) ? [Engine.recordVersion] : nil
      keep(RecordTable.pendingClose, key: key, value: value, at: now, into: &effects)
    }
  }

  mutating func adoptPendingCloses(at now: Instant) {
    for entry in storage.state.records.entries
    where entry.name.kind == RecordTable.pendingClose.number
      && entry.value == [Engine.recordVersion]
    {
      guard let app = AppID(recordKey: entry.name.key) else { continue }
      notedCloses.append(app)
      quit(app, at: now)
      // A launcher that has not reported the app has seen its end.
      guard !apps.lives.isConnected || apps.lives.isRunning(app) else { continue }
      apps.lives.change(app) { $0.recallClose(at: now) }
    }
  }
}
