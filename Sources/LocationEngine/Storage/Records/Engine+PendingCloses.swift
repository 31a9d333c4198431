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
    if changes.isEmpty, storage.state.log.isOpen {
      return answerClose(of: app, nil, into: &effects)
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
    var sentences = [failure?.inWordsDone].compactMap { $0 }
    if life.isRunning, !isConnected { sentences.append(Engine.closedWithoutLauncher(app)) }
    let requester = apps.lives.change(app) { $0.takeRequester() }
    let text = sentences.joined(separator: "; ")
    answer(requester, failure: text.isEmpty ? nil : text, into: &effects)
  }

  static func closedWithoutLauncher(_ app: AppID) -> String {
    "no launcher is connected; \(app) is closed, and is ended when a launcher runs"
  }

  /// Removes the close of an app that a person starts: it must not end the new process after a crash of the daemon.
  mutating func removeClose(of app: AppID, at now: Instant, into effects: inout [Effect]) {
    guard notedCloses.contains(app), let key = app.recordKey else { return }
    notedCloses.removeAll { $0 == app }
    keep(RecordTable.pendingClose, key: key, value: nil, at: now, into: &effects)
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

  /// The apps with a close in the log.
  private var storedCloses: [AppID] {
    storage.state.records.entries.compactMap { entry in
      entry.name.kind == RecordTable.pendingClose.number && entry.value == [Engine.recordVersion]
        ? AppID(recordKey: entry.name.key) : nil
    }
  }

  /// Closes that can be read only later are of an earlier run: they are removed, and end no process of this run.
  mutating func adoptLateCloses() {
    notedCloses += storedCloses.filter { !notedCloses.contains($0) }
  }

  mutating func adoptPendingCloses(at now: Instant) {
    for app in storedCloses {
      notedCloses.append(app)
      quit(app, at: now)
      // A launcher that has not reported the app has seen its end.
      guard !apps.lives.isConnected || apps.lives.isRunning(app) else { continue }
      apps.lives.change(app) { $0.recallClose(at: now) }
    }
  }
}
