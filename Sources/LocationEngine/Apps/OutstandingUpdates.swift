import BinnacleBasics
import BinnacleModel
import StateLog

/// The outstanding live updates: begun and not ended, by app, whether or not the app is connected.
///
///     open --app leaves without ending it--> away --comes within RejoinWindow--> back
///     away, back --taken up--> open, with its earlier state
///     back --not taken up for RejoinWindow--> lapsed
///     away --not back within RejoinWindow--> lapsed; with BackgroundModes=location: waits until the app is started
///
/// The log has a record of each app, so power cuts and the daemon's own stop end no updates. New updates are written at
/// once. Ended updates are written 30 s later, because a surplus record only lapses. Writes are rate-limited.
struct OutstandingUpdates: Equatable, Codable, Sendable {
  private(set) var apps: [OutstandingApp] = []
  /// Sequences that were taken up again, and sequences that lapsed, since the daemon's start.
  private(set) var rejoinedCount = 0
  private(set) var lapsedCount = 0
  /// Records that could not be read.
  private(set) var unreadCount = 0
  /// The unreadable records that a newer version wrote; they are not changed.
  private var newerCount = 0
  private let window: Interval
  private var backgroundApps: [String]
  /// All apps with a usable manifest, while the manifest of another app may be one that could not be used; else nil.
  private var readApps: [String]?
  /// Keys of unreadable records, which are to be removed.
  private var damagedKeys: [[UInt8]] = []
  private(set) var isStopping = false
  private var passing = PassedByAddress()
  /// The commit budget that a user's programs without a manifest share; a user can create any number of programs.
  private var unlistedBudget = CommitBudget()
  /// The next lapse, and the next write.
  private(set) var nextLapse: Instant?
  private(set) var nextWrite: Instant?

  /// Apps without outstanding updates are kept to limit their commit rate.
  static let idleAppsMax = 256

  /// A record for the log.
  struct Note: Equatable {
    var key: [UInt8]
    /// nil: the record is removed.
    var value: [UInt8]?
  }

  init(_ configuration: Configuration) {
    window = max(.milliseconds(1), configuration.clients.rejoinWindow)
    backgroundApps = configuration.apps.filter(\.hasBackgroundLocation).map(\.identifier)
    readApps = configuration.hasUnreadManifests ? configuration.apps.map(\.identifier) : nil
  }

  /// Whether any update has no process now.
  var hasAbsent: Bool { apps.contains { !$0.absent.isEmpty } }

  /// Whether an app has outstanding updates of a configuration that no process has taken up.
  func isAwaited(_ configuration: LiveConfiguration, by app: AppID) -> Bool {
    apps.contains { one in
      one.id == app && one.absent.contains { $0.configuration == configuration }
    }
  }

  /// Whether any updates of an app have no process now.
  func isAwaited(_ app: AppID) -> Bool {
    apps.contains { $0.id == app && !$0.absent.isEmpty }
  }

  /// The number of outstanding sequences of all apps.
  var count: Int {
    apps.reduce(0) { sum, app in
      LiveConfiguration.allCases.reduce(sum) { $0 + app.outstanding[$1] }
    }
  }

  // MARK: The log

  /// The log was read, at the start or later; the updates of an app that is already known are newer than its record.
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
        .warning, name.key, "forgotten, because their last record is lost", into: &effects)
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

  /// The records to write now; they count as written after the call.
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
      // A record is removed, so the log has room again.
      for index in apps.indices { apps[index].isUnkept = false }
    }
    settle()
    return notes
  }

  /// When the record of an app is due; nil if the record is up to date.
  private func turn(of app: OutstandingApp) -> Instant? {
    guard let due = app.nextWrite else { return nil }
    return max(due, OutstandingUpdates.user(of: app.id).map(unlistedBudget.nextTurn) ?? due)
  }

  /// The user whose programs share a commit budget; nil for an app with a manifest.
  private static func user(of app: AppID) -> DefaultsKey.Owner? {
    guard case .unlisted(let userID, _) = app else { return nil }
    return DefaultsKey.Owner(ofUser: userID)
  }

  /// The reason why an app can have no record.
  private func obstacle(to app: OutstandingApp) -> String? {
    guard app.id.recordKey != nil else {
      return "its path is longer than \(RecordName.keySizeMax) bytes; give it a manifest in apps.d"
    }
    let countMax = RecordTable.liveUpdates.countMax
    guard app.written.isEmpty, !app.outstanding.isEmpty else { return nil }
    let keptCount = newerCount + apps.count { !$0.written.isEmpty }
    return keptCount < countMax
      ? nil : "the updates of \(countMax) other apps are kept, which is the maximum"
  }

  /// Clears outstanding updates; open sequences continue, and are not restored after a restart.
  mutating func forget() {
    apps = []
    damagedKeys = []
    newerCount = 0
    settle()
  }

  /// The daemon stops: every due record is written.
  mutating func stopRequested() { isStopping = true }

  // MARK: Apps

  /// The manifests were read again.
  mutating func appsRead(background: [String], at now: Instant) {
    backgroundApps = background
    readApps = nil
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

  /// The process of an app has ended without success, so its updates wait for the next process.
  mutating func processEnded(_ app: AppID, at now: Instant) {
    guard let index = index(of: app) else { return }
    apps[index].processEnded(at: now, window: window)
    settle()
  }

  /// A person has closed an app: its updates end, also those of processes that still run.
  mutating func end(_ app: AppID) {
    guard let index = index(of: app) else { return }
    apps[index].end()
    settle()
  }

  /// The record of an app is removed by a decision.
  mutating func recordRemoved(of app: AppID) {
    guard let index = index(of: app) else { return }
    apps[index].written = LiveUpdatesRecord()
    settle()
  }

  /// A process of an app begins a sequence; returns the outstanding sequence that the app takes up.
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

  /// A process of an app left without ending these sequences.
  mutating func left(_ app: AppID, _ sequences: [LiveSequence], at now: Instant) {
    guard let index = index(of: app), !sequences.isEmpty else { return }
    for sequence in sequences { apps[index].left(sequence, at: now, window: window) }
    settle()
  }

  /// Ends waits that are due; returns whether the demand may have decreased.
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

  /// Whether an app can be identified, so that it can take up updates.
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
    if let readApps, !readApps.contains(identifier) { return true }
    return backgroundApps.contains(identifier)
  }

  private func index(of app: AppID) -> Int? { apps.firstIndex { $0.id == app } }

  private mutating func insert(_ app: AppID, at now: Instant) -> Int {
    if apps.count(where: \.isEmpty) >= OutstandingUpdates.idleAppsMax {
      apps.removeAll { $0.isIdle(at: now) }
      // If necessary, the oldest app is removed even though its commit rate is still limited.
      if apps.count(where: \.isEmpty) >= OutstandingUpdates.idleAppsMax,
        let oldest = apps.firstIndex(where: \.isEmpty)
      {
        apps.remove(at: oldest)
      }
    }
    apps.append(OutstandingApp(id: app, mayWait: mayWait(app)))
    return apps.count - 1
  }

  /// Computes the derived values after a change.
  private mutating func settle() {
    nextLapse = apps.compactMap(\.nextLapse).min()
    nextWrite = damagedKeys.isEmpty ? apps.compactMap { turn(of: $0) }.min() : .zero
  }
}
