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

  /// Stores the closes of apps that have not ended yet; called before the records of their sessions are removed.
  mutating func notePendingCloses(at now: Instant, into effects: inout [Effect]) {
    guard storage.state.log.condition != .unread else { return }
    for life in apps.lives.lives where life.isPendingClose && !notedCloses.contains(life.app) {
      notedCloses.append(life.app)
      guard let key = life.app.recordKey else { continue }
      keep(
        RecordTable.pendingClose, key: key, value: [Engine.recordVersion], at: now, into: &effects)
    }
  }

  /// Removes the closes of apps that have ended; called after the records of their sessions are removed.
  ///
  /// The records of sessions wait while the disk is busy, so this removal waits, too.
  mutating func noteEndedCloses(at now: Instant, into effects: inout [Effect]) {
    guard !notedCloses.isEmpty, storage.state.log.condition != .unread,
      !storage.state.isBusy || storage.state.isStopping
    else { return }
    let ended = notedCloses.filter { apps.lives[$0]?.isPendingClose != true }
    notedCloses.removeAll(where: ended.contains)
    for key in ended.compactMap(\.recordKey) {
      keep(RecordTable.pendingClose, key: key, value: nil, at: now, into: &effects)
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
