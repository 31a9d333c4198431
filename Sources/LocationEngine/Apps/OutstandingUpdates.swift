import BinnacleBasics
import BinnacleModel
import StateLog

/// The live updates that are outstanding: begun and not ended, by app, whether or not the app is there.
///
///     open --app goes without a word--> away --comes within RejoinWindow--> back
///     away, back --taken up--> open, as it was
///     back --not taken up for RejoinWindow--> lapsed
///     away --not come for RejoinWindow--> lapsed; with BackgroundModes=location: waits until it is started
///
/// The log has a record of each app, so that power cuts and the daemon's own end change nothing of this. It is told
/// at once of what was begun and 30 s later of what was ended, for a record too many only lapses; and never often.
struct OutstandingUpdates: Equatable, Codable, Sendable {
  private(set) var apps: [OutstandingApp] = []
  /// Sequences that were taken up again, and that were not, since the daemon's start.
  private(set) var rejoinedCount = 0
  private(set) var lapsedCount = 0
  /// Records that could not be read.
  private(set) var unreadCount = 0
  /// Those of them that a newer program wrote; they stay where they are.
  private var newerCount = 0
  private let window: Interval
  private var backgroundApps: [String]
  /// Keys of records that nobody can read: they are to go.
  private var damagedKeys: [[UInt8]] = []
  private var isStopping = false
  /// What programs without a manifest may have written, all of a user's together: anybody can make ever new ones.
  private var unlistedBudget = CommitBudget()
  /// When something lapses, and when the log is to be told something.
  private(set) var nextLapse: Instant?
  private(set) var nextWrite: Instant?

  /// Apps of which nothing is outstanding are remembered beyond that for the sake of how often they write.
  static let idleAppsMax = 256

  /// Something for the log.
  struct Note: Equatable {
    var key: [UInt8]
    /// nil: there is no such record any more.
    var value: [UInt8]?
  }

  init(_ configuration: Configuration) {
    window = max(.milliseconds(1), configuration.rejoinWindow)
    backgroundApps = configuration.backgroundApps
  }

  /// Sequences that are not ended, of all apps.
  var count: Int {
    apps.reduce(0) { sum, app in
      LiveConfiguration.allCases.reduce(sum) { $0 + app.outstanding[$1] }
    }
  }

  // MARK: The log

  /// The log was read, at the start or later; of an app that has been here meanwhile the log is behind.
  mutating func adopt(
    _ reading: StateReading, _ rest: RestRecord?, at now: Instant, into effects: inout [Effect]
  ) {
    let kind = RecordTable.liveUpdates.number
    newerCount = 0
    for entry in reading.records.entries where entry.name.kind == kind {
      adopt(entry.name.key, entry.value, rest, at: now, into: &effects)
    }
    for name in reading.withheld where name.kind == kind {
      unreadCount += 1
      OutstandingUpdates.say(
        .warning, name.key, "forgotten, because the last word on them is lost", into: &effects)
    }
    settle()
  }

  private mutating func adopt(
    _ key: [UInt8], _ value: [UInt8], _ rest: RestRecord?, at now: Instant,
    into effects: inout [Effect]
  ) {
    let app = AppID(recordKey: key)
    do throws(LiveUpdatesRecord.Damage) {
      let record = try LiveUpdatesRecord(decoding: value)
      guard let app else { throw .malformed }
      if let index = index(of: app) {
        if apps[index].written.isEmpty { apps[index].written = record }
        return
      }
      apps.append(OutstandingApp(id: app, mayWait: mayWait(app)))
      apps[apps.count - 1].recalled(record, rest, at: now, window: window)
      OutstandingUpdates.say(.info, key, "outstanding from before: \(record)", into: &effects)
    } catch {
      unreadCount += 1
      OutstandingUpdates.say(.warning, key, "not read: \(error)", into: &effects)
      if case .newer = error { newerCount += 1 } else { damagedKeys.append(key) }
    }
  }

  private static func say(
    _ level: LogLevel, _ key: [UInt8], _ text: String, into effects: inout [Effect]
  ) {
    let app = String(decoding: key, as: UTF8.self)
    effects.append(.log(level, "live updates of \(app): \(text)"))
  }

  /// What the log is to be told now; after this it is taken for told.
  mutating func takeNotes(at now: Instant, into effects: inout [Effect]) -> [Note] {
    guard isStopping || nextWrite.map({ $0 <= now }) ?? false else { return [] }
    var notes = damagedKeys.map { Note(key: $0, value: nil) }
    damagedKeys = []
    for index in apps.indices {
      guard let due = turn(of: apps[index]), isStopping || due <= now else { continue }
      guard let obstacle = obstacle(to: apps[index]) else {
        let key = apps[index].id.recordKey ?? []
        if let owner = OutstandingUpdates.user(of: apps[index].id) {
          unlistedBudget.spend(owner, at: now)
        }
        notes.append(Note(key: key, value: apps[index].write(at: now).value))
        continue
      }
      apps[index].isUnkept = true
      effects.append(
        .log(
          .warning,
          "live updates of \(apps[index].id): served, but not kept over a restart: \(obstacle)"))
    }
    if notes.contains(where: { $0.value == nil }) {
      // There is room now.
      for index in apps.indices { apps[index].isUnkept = false }
    }
    settle()
    return notes
  }

  /// When the log is to be told of an app; nil when it says what there is.
  private func turn(of app: OutstandingApp) -> Instant? {
    guard let due = app.nextWrite else { return nil }
    return max(due, OutstandingUpdates.user(of: app.id).map(unlistedBudget.nextTurn) ?? due)
  }

  /// Whose programs share what they may have written; nil for an app with a manifest.
  private static func user(of app: AppID) -> DefaultsKey.Owner? {
    guard case .unlisted(let userID, _) = app else { return nil }
    return DefaultsKey.Owner(ofUser: userID)
  }

  /// Why there can be no record of an app.
  private func obstacle(to app: OutstandingApp) -> String? {
    guard app.id.recordKey != nil else {
      return "its path is longer than \(RecordName.keySizeMax) bytes; give it a manifest in apps.d"
    }
    let countMax = RecordTable.liveUpdates.countMax
    guard app.written.isEmpty, !app.outstanding.isEmpty else { return nil }
    let keptCount = newerCount + apps.count { !$0.written.isEmpty }
    return keptCount < countMax ? nil : "those of \(countMax) apps are, which is the most"
  }

  /// What was outstanding is so no more; what is open goes on, and is not taken up again after a restart.
  mutating func forget() {
    apps = []
    damagedKeys = []
    newerCount = 0
    settle()
  }

  /// The daemon ends: the log is told everything there is.
  mutating func stopRequested() { isStopping = true }

  // MARK: Apps

  /// The manifests were read again.
  mutating func appsRead(background: [String], at now: Instant) {
    backgroundApps = background
    for index in apps.indices {
      apps[index].permit(mayWait(apps[index].id), at: now, window: window)
    }
    settle()
  }

  mutating func connected(_ app: AppID, at now: Instant) {
    guard let index = index(of: app) else { return }
    apps[index].connected(at: now, window: window)
    settle()
  }

  /// A process of an app begins a sequence; answers the one that it takes up.
  mutating func opened(
    _ app: AppID, _ configuration: LiveConfiguration, at now: Instant
  ) -> OutstandingApp.Absent? {
    guard OutstandingUpdates.canBeTold(app) else { return nil }
    let index = index(of: app) ?? insert(app, at: now)
    let found = apps[index].opened(configuration, at: now)
    if found != nil { rejoinedCount += 1 }
    settle()
    return found
  }

  /// A process of an app ends a sequence.
  mutating func closed(_ app: AppID, _ configuration: LiveConfiguration, at now: Instant) {
    guard let index = index(of: app) else { return }
    apps[index].closed(configuration, at: now)
    settle()
  }

  /// A process of an app went without ending these.
  mutating func left(_ app: AppID, _ sequences: [LiveSequence], at now: Instant) {
    guard let index = index(of: app), !sequences.isEmpty else { return }
    for sequence in sequences { apps[index].left(sequence, at: now, window: window) }
    settle()
  }

  /// Answers whether less is wanted of the receiver than before.
  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) -> Bool {
    guard let due = nextLapse, due <= now else { return false }
    for index in apps.indices {
      for verdict in apps[index].timePassed(at: now) {
        let app = apps[index].id
        switch verdict {
        case .lapsed(let record):
          lapsedCount += LiveConfiguration.allCases.reduce(0) { $0 + record[$1] }
          effects.append(
            .log(
              .info,
              "live updates of \(app): lapsed, not taken up within \(window.seconds) s: \(record)"))
        case .waits(let record):
          effects.append(
            .log(.info, "live updates of \(app): they wait until it is started: \(record)"))
        }
      }
    }
    settle()
    return true
  }

  /// Whether a program can be told from others, so that it can take up anything.
  ///
  /// A door's updates end with its reader.
  private static func canBeTold(_ app: AppID) -> Bool {
    switch app {
    case .listed, .unlisted: true
    case .door, .unresolved: false
    }
  }

  private func mayWait(_ app: AppID) -> Bool {
    guard case .listed(let identifier) = app else { return false }
    return backgroundApps.contains(identifier)
  }

  private func index(of app: AppID) -> Int? { apps.firstIndex { $0.id == app } }

  private mutating func insert(_ app: AppID, at now: Instant) -> Int {
    if apps.count(where: \.isEmpty) >= OutstandingUpdates.idleAppsMax {
      apps.removeAll { $0.isIdle(at: now) }
      // One whose commits are not paid for yet, if need be: the oldest.
      if apps.count(where: \.isEmpty) >= OutstandingUpdates.idleAppsMax,
        let oldest = apps.firstIndex(where: \.isEmpty)
      {
        apps.remove(at: oldest)
      }
    }
    apps.append(OutstandingApp(id: app, mayWait: mayWait(app)))
    return apps.count - 1
  }

  /// What follows from any change.
  private mutating func settle() {
    nextLapse = apps.compactMap(\.nextLapse).min()
    nextWrite = damagedKeys.isEmpty ? apps.compactMap { turn(of: $0) }.min() : .zero
  }
}
