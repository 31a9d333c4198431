import BinnacleModel
import LocationEngine
import StateLog

/// The defaults that apps keep, according to the disk's acknowledgements.
///
/// The engine reports defaults as kept only after their commit. Reported defaults survive a power cut, and no app sees
/// another app's defaults.
struct DefaultsLedger: Sendable {
  private struct Client: Sendable {
    var id: ClientID
    var app: AppID
    var draft: [DefaultsEntry] = []
    var request: UInt32 = 0
  }

  private var clients: [Client] = []
  /// The records of apps that the log has acknowledged.
  private var kept = RecordSet()
  private var ordered: (number: UInt32, changes: [Change])?
  /// The changes that failed since the last commit: they are not promised, but the disk may have them.
  private var doubtful: [[Change]] = []
  /// Changes that clients have set completely and that have no outcome.
  private var asked: [(client: ClientID, request: UInt32, changes: [Change])] = []

  mutating func delivered(_ event: Event) {
    switch event {
    case .client(let id, .connected(let peer, _)):
      clients.append(Client(id: id, app: peer.app))
    case .client(let id, .disconnected):
      clients.removeAll { $0.id == id }
      asked.removeAll { $0.client == id }
    case .client(let id, .requested(let request, .setDefaults(let isLast, let entries))):
      guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
      clients[index].draft += entries
      guard isLast else { return }
      let changes = clients[index].draft.compactMap {
        DefaultsLedger.change($0, of: clients[index].app)
      }
      clients[index].draft = []
      asked.append((id, request, changes))
    case .storage(.committed(let number, _)):
      guard let ordered, ordered.number == number else { return }
      for change in ordered.changes { kept.apply(change) }
      self.ordered = nil
      doubtful = []
    case .storage(.commitFailed(let number, _)):
      guard let ordered, ordered.number == number else { return }
      doubtful.append(ordered.changes)
      self.ordered = nil
    case .client, .storage(.read), .storage(.markChanged), .receiver, .line, .accelerometer, .track,
      .launcher, .appsRead,
      .consentSettingsRead,
      .wallClockRead, .started, .stopRequested, .deadlineReached:
      return
    }
  }

  mutating func ordered(_ number: UInt32, _ changes: [Change]) {
    ordered = (number, changes.filter { $0.name.kind == RecordTable.appDefaults.number })
  }

  mutating func settled(_ client: ClientID, request: UInt32, isKept: Bool) -> String? {
    let wanted = asked.first { $0.client == client && $0.request == request }?.changes
    asked.removeAll { $0.client == client && $0.request == request }
    guard isKept else { return nil }
    guard let wanted else { return "the daemon reports defaults as kept that no app has set" }
    // Another program of the app may have set a key since. One commit then contains both changes, with the later value.
    let isThere = wanted.allSatisfy { change in
      let last = wanted.last { $0.name == change.name }
      return kept.isUnchanged(by: last ?? change)
        || asked.contains { $0.changes.contains { $0.name == change.name } }
    }
    return isThere ? nil : "defaults are said to be kept before the disk has them"
  }

  func read(_ entries: [DefaultsEntry], by client: ClientID) -> String? {
    guard let app = clients.first(where: { $0.id == client })?.app else {
      return "defaults for a gone client"
    }
    let own = kept.entries.count { $0.name.key.starts(with: Array("\(app)".utf8) + [0]) }
    guard entries.count == own else { return "not all that an app keeps, or more" }
    return changed(entries, for: client)
  }

  func changed(_ entries: [DefaultsEntry], for client: ClientID) -> String? {
    guard let app = clients.first(where: { $0.id == client })?.app else {
      return "defaults for a gone client"
    }
    let isTrue = entries.allSatisfy { entry in
      DefaultsLedger.change(entry, of: app).map { kept.isUnchanged(by: $0) } ?? false
    }
    return isTrue ? nil : "an app is told of defaults that are not kept, or not its own"
  }

  /// Checks the log after a power cut: acknowledged changes are present, and a pending commit is complete or absent.
  mutating func powerCut(found records: RecordSet) -> String? {
    var found = RecordSet()
    for entry in records.entries where entry.name.kind == RecordTable.appDefaults.number {
      found.apply(entry.change)
    }
    let attempts = [[]] + doubtful + (ordered.map { [$0.changes] } ?? [])
    let isAllowed = attempts.contains { changes in
      var after = kept
      for change in changes { after.apply(change) }
      return found == after
    }
    self = DefaultsLedger()
    kept = found
    return isAllowed ? nil : "an acknowledged default is missing"
  }

  private static func change(_ entry: DefaultsEntry, of app: AppID) -> Change? {
    RecordTable.appDefaults.named(Array("\(app)".utf8) + [0] + Array(entry.key.utf8)).map {
      Change($0, entry.value.map { .put($0.encoded, isCautious: false) } ?? .remove)
    }
  }
}
