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

  /// Stores the close of an app that has not ended yet, and removes the records of its sessions and updates, in one commit.
  ///
  /// The client that waits for the close gets the answer of the log. The sessions and updates have ended already.
  mutating func decideClose(of app: AppID, at now: Instant, into effects: inout [Effect]) {
    var changes: [Change] = []
    if let key = app.recordKey {
      if apps.lives[app]?.isPendingClose == true,
        let close = try? RecordTable.pendingClose.change(key: key, to: [Engine.recordVersion])
      {
        changes.append(close)
        if !notedCloses.contains(app) { notedCloses.append(app) }
      }
      for kind in [RecordTable.sessions, RecordTable.processSessions, RecordTable.liveUpdates] {
        guard let name = kind.named(key), storage.state.mayHold(name) else { continue }
        changes.append(Change(name, .remove))
      }
    }
    apps.sessions.recordsRemoved(of: app)
    apps.outstanding.recordRemoved(of: app)
    let decision = Decision(.takesAway, changes: changes, then: [StateOrder.answerClose(app)])
    follow(
      storage.state.decide(decision, for: .engine, at: now, into: &effects), at: now,
      into: &effects)
  }

  /// The log has answered the close of an app: its client is answered, or waits for the end of the app.
  mutating func answerClose(
    of app: AppID, _ failure: StorageFault?, into effects: inout [Effect]
  ) {
    guard let life = apps.lives[app] else { return }
    let isConnected = apps.lives.isConnected
    if failure == nil, isConnected, life.isPendingClose { return }
    var text = failure?.inWordsDone
    if text == nil, life.isRunning, !isConnected {
      text = "no launcher is connected; \(app) is closed, and is ended when a launcher runs"
    }
    let requester = apps.lives.change(app) { $0.takeRequester() }
    answer(requester, failure: text, into: &effects)
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
