import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The outstanding live updates, tracked independently of the engine.
///
/// The ledger tracks the sequences that an app has begun and not ended, and the sequences that the disk has
/// acknowledged. The engine keeps a promise over every power cut, and invents none.
struct OutstandingLedger: Sendable {
  /// Sequences whose process has ended.
  private struct Absent: Sendable {
    var configuration: LiveConfiguration
    var count: Int
    /// The end of the restoration window; nil: the sequences wait until the app is started.
    var end: Instant?
    var isBack = false
  }

  /// The minimum and the maximum of outstanding sequences during a time, for each configuration.
  private struct Range: Sendable {
    var least: LiveUpdatesRecord
    var most: LiveUpdatesRecord

    init(_ record: LiveUpdatesRecord) {
      least = record
      most = record
    }

    mutating func extend(_ record: LiveUpdatesRecord) {
      for configuration in LiveConfiguration.allCases {
        least[configuration] = min(least[configuration], record[configuration])
        most[configuration] = max(most[configuration], record[configuration])
      }
    }
  }

  private struct App: Sendable {
    var id: AppID
    var open = LiveUpdatesRecord()
    var absent: [Absent] = []
    /// The record that the disk has acknowledged.
    var kept = LiveUpdatesRecord()
    /// The record of the pending commit, and the records that failed and may be on the disk nevertheless.
    var ordered: (number: UInt32, record: LiveUpdatesRecord)?
    /// The time since which fewer sequences are outstanding than the pending commit contains.
    var orderedExcessSince: Instant?
    var failed: [LiveUpdatesRecord] = []
    /// The permitted range of a record: the outstanding sequences since the last acknowledged record.
    var sinceKept = Range(LiveUpdatesRecord())
    var sinceOrdered = Range(LiveUpdatesRecord())
    var orderCount = 0
    /// The time since which more, or fewer, sequences are outstanding than the disk has.
    var lackingSince: Instant?
    var excessSince: Instant?

    var outstanding: LiveUpdatesRecord {
      var all = open
      for one in absent { all[one.configuration] += one.count }
      return all
    }
  }

  private struct Client: Sendable {
    var id: ClientID
    var app: AppID?
    var isServed: Bool
    var sequences: [(id: SequenceID, configuration: LiveConfiguration)] = []
  }

  static let backgroundApp = "org.example.background"
  private static let window = Interval.seconds(10)
  private static let sequencesMax = 32
  /// The time from the start of a sequence to its record, on a disk that works.
  private static let keepingMax = Interval.seconds(2)
  /// The time from the end of a sequence to a record without the sequence, counted from the write of the valid record.
  private static let endingMax = Interval.seconds(32)
  /// The number of records that an app gets without a delay.
  private static let burst = 6

  private var apps: [App] = []
  private var clients: [Client] = []
  private var hasDiskFailed = false
  /// Whether the app of the manifest is allowed.
  private var isAllowed = false

  // MARK: Events

  mutating func delivered(_ event: Event, at now: Instant) {
    lapse(at: now)
    defer { note(at: now) }
    switch event {
    case .storage(.read(let reading)):
      if reading.obstacle != nil { hasDiskFailed = true }
      isAllowed = ClientScript.isAllowed(by: reading)
      adopt(reading.records, at: now)
    case .storage(.committed(let number, _)): settle(number, isKept: true)
    case .storage(.commitFailed(let number, _)):
      hasDiskFailed = true
      settle(number, isKept: false)
    case .client(let id, .connected(let peer, _)):
      let isServed = ClientScript.isServed(peer, isAllowed: isAllowed)
      var app: AppID? = peer.app
      if case .unresolved = peer.app { app = nil }
      clients.append(Client(id: id, app: app, isServed: isServed))
      guard let index = apps.firstIndex(where: { $0.id == peer.app }) else { return }
      for absent in apps[index].absent.indices where !apps[index].absent[absent].isBack {
        apps[index].absent[absent].isBack = true
        apps[index].absent[absent].end = now + Self.window
      }
    case .client(let client, .updatesOpened(let id, let configuration, _)):
      open(client, id, configuration)
    case .client(let client, .updatesClosed(let id)):
      guard let index = clients.firstIndex(where: { $0.id == client }),
        let place = clients[index].sequences.firstIndex(where: { $0.id == id })
      else { return }
      let configuration = clients[index].sequences.remove(at: place).configuration
      if let app = app(of: clients[index]) { apps[app].open[configuration] -= 1 }
    case .client(let client, .disconnected):
      guard let index = clients.firstIndex(where: { $0.id == client }) else { return }
      let gone = clients.remove(at: index)
      guard !gone.sequences.isEmpty, let app = app(of: gone) else { return }
      for sequence in gone.sequences {
        apps[app].open[sequence.configuration] -= 1
        apps[app].absent.append(
          Absent(configuration: sequence.configuration, count: 1, end: now + Self.window))
      }
    case .client(_, .requested), .client(_, .skyWatched), .client(_, .sessionOpened),
      .client(_, .terminalLost), .client(_, .sessionClosed), .client(_, .authorizationWatched),
      .client(_, .buttonsWatched), .client(_, .phaseWatched), .client(_, .pinChecked),
      .storage(.markChanged), .receiver, .line, .accelerometer, .track, .launcher, .appsRead,
      .consentSettingsRead, .wallClockRead, .started, .stopRequested, .deadlineReached:
      return
    }
  }

  private mutating func open(
    _ client: ClientID, _ id: SequenceID, _ configuration: LiveConfiguration
  ) {
    guard let index = clients.firstIndex(where: { $0.id == client }),
      clients[index].sequences.count < Self.sequencesMax,
      !clients[index].sequences.contains(where: { $0.id == id })
    else { return }
    clients[index].sequences.append((id, configuration))
    guard let app = app(of: clients[index]) else { return }
    apps[app].open[configuration] += 1
    guard let taken = apps[app].absent.firstIndex(where: { $0.configuration == configuration })
    else { return }
    apps[app].absent[taken].count -= 1
    if apps[app].absent[taken].count == 0 { apps[app].absent.remove(at: taken) }
  }

  /// The index of a client's app; nil for an app whose updates are not recorded.
  private mutating func app(of client: Client) -> Int? {
    guard client.isServed, let app = client.app else { return nil }
    return place(of: app)
  }

  private mutating func place(of app: AppID) -> Int {
    if let index = apps.firstIndex(where: { $0.id == app }) { return index }
    apps.append(App(id: app))
    return apps.count - 1
  }

  private mutating func lapse(at now: Instant) {
    for app in apps.indices {
      let waits = apps[app].id == .listed(Self.backgroundApp)
      for index in apps[app].absent.indices.reversed() {
        let one = apps[app].absent[index]
        guard let end = one.end, end <= now else { continue }
        if waits, !one.isBack {
          apps[app].absent[index].end = nil
        } else {
          apps[app].absent.remove(at: index)
        }
      }
    }
  }

  private mutating func note(at now: Instant) {
    for app in apps.indices {
      let outstanding = apps[app].outstanding
      apps[app].sinceKept.extend(outstanding)
      apps[app].sinceOrdered.extend(outstanding)
      let kept = apps[app].kept
      apps[app].lackingSince =
        kept.covers(outstanding) ? nil : apps[app].lackingSince ?? now
      apps[app].excessSince = outstanding.covers(kept) ? nil : apps[app].excessSince ?? now
      let isOrderedCovered = apps[app].ordered.map { outstanding.covers($0.record) } ?? true
      apps[app].orderedExcessSince =
        isOrderedCovered ? nil : apps[app].orderedExcessSince ?? now
    }
  }

  // MARK: The disk

  private mutating func adopt(_ records: RecordSet, at now: Instant) {
    for entry in records.entries where entry.name.kind == RecordTable.liveUpdates.number {
      guard let id = AppID(recordKey: entry.name.key), !apps.contains(where: { $0.id == id }),
        let record = try? LiveUpdatesRecord(decoding: entry.value)
      else { continue }
      var app = App(id: id)
      app.kept = record
      for configuration in LiveConfiguration.allCases where record[configuration] > 0 {
        app.absent.append(
          Absent(
            configuration: configuration, count: record[configuration], end: now + Self.window))
      }
      app.sinceKept = Range(record)
      apps.append(app)
    }
  }

  private mutating func settle(_ number: UInt32, isKept: Bool) {
    for app in apps.indices {
      guard let ordered = apps[app].ordered, ordered.number == number else { continue }
      apps[app].ordered = nil
      if isKept {
        apps[app].kept = ordered.record
        apps[app].excessSince = apps[app].orderedExcessSince
        apps[app].failed = []
        apps[app].sinceKept = apps[app].sinceOrdered
      } else {
        apps[app].failed.append(ordered.record)
      }
    }
  }

  mutating func ordered(_ number: UInt32, _ changes: [Change]) -> String? {
    var found: String?
    for change in changes where change.name.kind == RecordTable.liveUpdates.number {
      guard let id = AppID(recordKey: change.name.key) else {
        return "a record of live updates whose key names no app"
      }
      var record = LiveUpdatesRecord()
      if case .put(let value, _) = change.action {
        guard let said = try? LiveUpdatesRecord(decoding: value) else {
          return "a record of live updates that cannot be decoded"
        }
        record = said
      }
      let app = place(of: id)
      if record == apps[app].kept, apps[app].failed.isEmpty {
        found = "the log is told again of \(id): \(record)"
      }
      let range = apps[app].sinceKept
      if !record.covers(range.least) { found = "live updates of \(id) are forgotten: \(record)" }
      if !range.most.covers(record) { found = "live updates of \(id) are made up: \(record)" }
      apps[app].ordered = (number, record)
      apps[app].orderCount += 1
      apps[app].sinceOrdered = Range(apps[app].outstanding)
    }
    return found
  }

  /// Checks the log after a power cut or a daemon's end: acknowledged records are present, pending records may be.
  mutating func powerCut(found records: RecordSet) -> String? {
    var wrong: String?
    var found: [(id: AppID, record: LiveUpdatesRecord)] = []
    for entry in records.entries where entry.name.kind == RecordTable.liveUpdates.number {
      guard let id = AppID(recordKey: entry.name.key),
        let record = try? LiveUpdatesRecord(decoding: entry.value)
      else { return "a record of live updates that cannot be decoded" }
      found.append((id, record))
      if !apps.contains(where: { $0.id == id }) {
        wrong = "\(id) has live updates that no client opened"
      }
    }
    for app in apps {
      let record = found.first { $0.id == app.id }?.record ?? LiveUpdatesRecord()
      let allowed = [app.kept, app.ordered?.record].compactMap { $0 } + app.failed
      if !allowed.contains(record) {
        wrong = "a promise to \(app.id) was not kept: \(record) instead of \(app.kept)"
      }
    }
    apps = []
    clients = []
    hasDiskFailed = false
    return wrong
  }

  // MARK: Checks

  /// Checks that a report states the number of outstanding sequences at its instant, however late timers are.
  func reported(_ report: Report) -> String? {
    guard let said = report[.outstandingSequences] else {
      return "a report without the number of outstanding sequences"
    }
    var count = 0
    for app in apps {
      for configuration in LiveConfiguration.allCases {
        count += app.outstanding[configuration]
      }
    }
    return said == Int64(count)
      ? nil : "\(said) sequences are said to be outstanding, and \(count) are"
  }

  /// Checks that the log records new sequences soon, and that the log removes ended sequences.
  func overdue(at now: Instant) -> String? {
    guard !hasDiskFailed else { return nil }
    for app in apps where app.orderCount < Self.burst {
      if let since = app.lackingSince, now - since > Self.keepingMax {
        return "live updates of \(app.id) are not kept: \(app.kept) instead of \(app.outstanding)"
      }
      if let since = app.excessSince, now - since > Self.endingMax {
        return "ended updates of \(app.id) are still kept: \(app.kept)"
      }
    }
    return nil
  }
}
