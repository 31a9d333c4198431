import BinnacleBasics
import BinnacleModel
import StateLog

/// The sessions of all apps, and the objects that hold them.
///
/// The table applies the rules of ``HeldSession``. ``AppTable`` decides what an app may begin and continue.
struct SessionTable: Equatable, Codable, Sendable {
  /// An object of a client.
  struct Object: Equatable, Codable, Sendable {
    let client: ClientID
    let id: SessionID
    let app: AppID
    let session: AppSession
    /// The number of the client's process; 0 if the daemon cannot see it.
    let processID: Int32
    /// The diagnostic that the client has.
    var sent: SessionFlags?
  }

  /// A record for the log.
  struct Note: Equatable {
    let kind: RecordKind
    let key: [UInt8]
    /// nil: the record is removed.
    let value: [UInt8]?
  }

  private(set) var objects: [Object] = []
  private(set) var apps: [AppSessions] = []
  private(set) var rejoinedCount = 0
  private(set) var lapsedCount = 0
  /// Records that could not be read, or are lost.
  private(set) var lostCount = 0
  /// When the next session lapses, and when the next record is due.
  private(set) var nextLapse: Instant?
  private(set) var nextWrite: Instant?
  /// Records without a meaning, which are to be removed.
  private var lostNames: [RecordName] = []
  private let window: Interval
  /// The number of the boot; empty if it is unknown.
  private let bootID: String

  /// The most objects of a client.
  static let objectsMax = 32
  /// Apps without sessions are kept to limit their commits.
  static let idleAppsMax = 256

  /// - Parameters:
  ///   - window: `RejoinWindow`.
  ///   - bootID: the number of the boot; without it, the sessions of a process end with the daemon.
  init(window: Interval, bootID: String = "") {
    self.window = window
    self.bootID = bootID
  }

  /// Whether no app has a session or an object.
  var isEmpty: Bool { objects.isEmpty && apps.isEmpty }

  func isHeld(_ role: SessionRole, by app: AppID) -> Bool {
    index(of: app).map { apps[$0][role].isHeld } ?? false
  }

  /// The objects of an app.
  func objects(of app: AppID) -> some Sequence<Object> { objects.lazy.filter { $0.app == app } }

  /// The text of the newest live activity of an app; nil if no live activity is active.
  func activityText(of app: AppID) -> String? {
    guard isHeld(.liveActivity, by: app) else { return nil }
    return objects.lazy.reversed().compactMap { object in
      guard object.app == app, case .liveActivity(let text) = object.session else { return nil }
      return text
    }.first
  }

  // MARK: Objects

  /// A client makes an object.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - isScript: whether the client is a script that the launcher has not started.
  /// - Returns: false if the client has too many objects.
  mutating func made(_ object: Object, byScript isScript: Bool = false) -> Bool {
    let own = objects.filter { $0.client == object.client }
    guard own.count < SessionTable.objectsMax, !own.contains(where: { $0.id == object.id }) else {
      return false
    }
    objects.append(object)
    if let role = SessionRole(object.session) {
      var isRejoined = false
      let maker = processID(of: object)
      changeObjects(object.app, role) {
        isRejoined = $0.made(byScript: isScript, inProcess: maker)
      }
      if isRejoined { rejoinedCount += 1 }
    }
    return true
  }

  /// A client invalidates an object.
  mutating func invalidated(_ id: SessionID, of client: ClientID) {
    guard let index = objects.firstIndex(where: { $0.id == id && $0.client == client }) else {
      return
    }
    let object = objects.remove(at: index)
    guard let role = SessionRole(object.session) else { return }
    changeObjects(object.app, role) { $0.invalidated() }
  }

  /// A client has disconnected without invalidating its objects.
  ///
  /// The daemon cannot start a script again that the launcher has not started, so its sessions do not wait without a limit. But the
  /// script may have lost only its connection; then it connects again within `ClientMachine.backOffMax`, 5 s. If another
  /// process of the app is connected, a session does not wait for a start of the app.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - isScript: whether the client is a script that the launcher has not started.
  ///   - isRunning: whether another process of the app is connected.
  ///   - now: the instant.
  mutating func clientLeft(
    _ client: ClientID, isScript: Bool, isRunning: Bool, at now: Instant
  ) {
    let end: Instant? = isScript ? now + window : nil
    let sharedEnd: Instant? = isRunning ? now + window : nil
    let own = objects.filter { $0.client == client }
    objects.removeAll { $0.client == client }
    for object in own {
      guard let role = SessionRole(object.session) else { continue }
      let waits = role.isRejoined && object.app.hasManifest
      changeObjects(object.app, role) {
        $0.left(isRejoined: waits, until: end, sharedUntil: sharedEnd)
      }
    }
  }

  /// The last process of an app has left, so its sessions wait until the app is started.
  mutating func lastProcessLeft(_ app: AppID) {
    guard index(of: app) != nil else { return }
    change(app) { sessions in
      for role in SessionRole.allCases { sessions[role].lastProcessLeft() }
    }
  }

  /// A process of an app has connected.
  mutating func connected(_ app: AppID, at now: Instant) {
    guard index(of: app) != nil else { return }
    change(app) { [window] sessions in
      for role in SessionRole.allCases { sessions[role].connected(at: now, window: window) }
    }
  }

  /// The process of an app has ended without success.
  mutating func processEnded(_ app: AppID) {
    guard index(of: app) != nil else { return }
    change(app) { sessions in
      for role in SessionRole.allCases { sessions[role].processEnded() }
    }
  }

  /// A person has closed an app; its objects have no effect any more.
  mutating func end(_ app: AppID) {
    guard index(of: app) != nil else { return }
    change(app) { sessions in
      for role in SessionRole.allCases { sessions[role].end() }
    }
  }

  /// Whether a session of an app waits until the app is started.
  func isAway(_ app: AppID) -> Bool {
    index(of: app).map { index in
      SessionRole.allCases.contains { apps[index][$0].state == .away }
    } ?? false
  }

  /// The apps with a session that waits until the app is started.
  var awayApps: [AppID] { apps.map(\.app).filter(isAway) }

  /// Applies the rights of an app to one role; returns whether the session has changed.
  mutating func settle(
    _ role: SessionRole, of app: AppID, mayBegin: Bool, mayContinue: Bool
  ) -> Bool {
    guard let index = index(of: app) else { return false }
    var session = apps[index][role]
    guard session.settle(mayBegin: mayBegin, mayContinue: mayContinue) else { return false }
    change(app) { $0[role] = session }
    return true
  }

  /// Ends the sessions that no process took up; returns whether there were any.
  mutating func lapse(at now: Instant, into effects: inout [Effect]) -> Bool {
    guard let due = nextLapse, due <= now else { return false }
    for index in apps.indices {
      for role in SessionRole.allCases where apps[index][role].lapse(at: now) {
        lapsedCount += 1
        effects.append(
          .log(
            .info,
            "\(apps[index].app): the \(role.inWords) has lapsed, because the app did not take it up within \(window.seconds) s"
          ))
      }
    }
    settleTimes()
    return true
  }

  /// The diagnostic of an object is sent.
  mutating func sent(_ flags: SessionFlags, at index: Int) { objects[index].sent = flags }

  // MARK: The log

  /// Takes the records of the log; a lost record is no session.
  ///
  /// The sessions of scripts lapse if no process takes them up, because the launcher does not start these scripts.
  /// The sessions of a process wait for this process, if the system has not started again.
  mutating func adopt(_ reading: StateReading, at now: Instant, into effects: inout [Effect]) {
    let kind = RecordTable.sessions.number
    for entry in reading.records.entries where entry.name.kind == kind {
      guard let app = AppID(recordKey: entry.name.key), app.hasManifest,
        let record = SessionsRecord(bytes: entry.value)
      else {
        lostCount += 1
        lostNames.append(entry.name)
        continue
      }
      guard index(of: app) == nil else { continue }
      apps.append(AppSessions(app: app, recalled: record, scriptsUntil: now + window))
      effects.append(.log(.info, "\(app): outstanding from before: \(record.text)"))
    }
    for name in reading.withheld where name.kind == kind {
      lostCount += 1
      let app = String(decoding: name.key, as: UTF8.self)
      effects.append(
        .log(.warning, "\(app): its sessions have ended, because the last record of them is lost"))
    }
    adoptOfProcesses(reading, at: now, into: &effects)
    settleTimes()
  }

  private mutating func adoptOfProcesses(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) {
    for entry in reading.records.entries
    where entry.name.kind == RecordTable.processSessions.number {
      guard let app = AppID(recordKey: entry.name.key), app.hasManifest,
        let record = ProcessSessionsRecord(bytes: entry.value, bootID: bootID)
      else {
        lostNames.append(entry.name)
        continue
      }
      change(app) { [window] in $0.recall(record, until: now + window) }
      effects.append(.log(.info, "\(app): outstanding from before: \(record.text)"))
    }
  }

  /// Takes the records of a log that could not be read at the start: their sessions have lapsed, so the records go.
  mutating func adoptLate(_ reading: StateReading) {
    let kind = RecordTable.processSessions.number
    lostNames += reading.records.entries.map(\.name).filter { $0.kind == kind }
    for entry in reading.records.entries where entry.name.kind == RecordTable.sessions.number {
      guard let app = AppID(recordKey: entry.name.key), app.hasManifest,
        let record = SessionsRecord(bytes: entry.value)
      else {
        lostNames.append(entry.name)
        continue
      }
      change(app) { if $0.written == SessionsRecord() { $0.written = record } }
    }
    settleTimes()
  }

  /// The records to write now; they count as written after the call.
  mutating func takeNotes(at now: Instant, isStopping: Bool) -> [Note] {
    guard isStopping || nextWrite.map({ $0 <= now }) ?? false else { return [] }
    var notes = lostNames.compactMap { name in
      RecordTable.kind(name.kind).map { Note(kind: $0, key: name.key, value: nil) }
    }
    lostNames = []
    for index in apps.indices {
      notes += apps[index].write(bootID: bootID, at: now, isStopping: isStopping)
    }
    settleTimes()
    return notes
  }

  /// The records of an app are removed by a decision.
  mutating func recordsRemoved(of app: AppID) {
    guard index(of: app) != nil else { return }
    change(app) { sessions in
      (sessions.written, sessions.writtenOfProcess) = (SessionsRecord(), ProcessSessionsRecord())
    }
  }

  /// Ends all sessions; the objects stay, without an effect until their app is in the foreground.
  mutating func erase() {
    for index in apps.indices { apps[index].erase() }
    lostNames = []
    settleTimes()
  }

  // MARK: Parts

  private func index(of app: AppID) -> Int? { apps.firstIndex { $0.app == app } }

  private mutating func change(_ app: AppID, _ change: (inout AppSessions) -> Void) {
    if index(of: app) == nil { apps.append(AppSessions(app: app)) }
    if let index = index(of: app) { change(&apps[index]) }
    settleTimes()
  }

  /// Changes a session whose objects have changed.
  private mutating func changeObjects(
    _ app: AppID, _ role: SessionRole, _ change: (inout HeldSession) -> Void
  ) {
    var makers: [Int32] = []
    for object in objects where object.app == app && SessionRole(object.session) == role {
      if let maker = processID(of: object), !makers.contains(maker) { makers.append(maker) }
    }
    self.change(app) {
      change(&$0[role])
      $0[role].belongs(to: makers)
    }
  }

  /// The process of an object, if the object's session ends with its process and the numbers of processes have a meaning.
  private func processID(of object: Object) -> Int32? {
    guard SessionRole(object.session)?.isOfProcess == true, object.processID > 0, !bootID.isEmpty
    else { return nil }
    return object.processID
  }

  private mutating func settleTimes() {
    nextLapse = apps.compactMap(\.nextLapse).min()
    nextWrite = lostNames.isEmpty ? apps.compactMap(\.nextWrite).min() : .zero
  }

  /// Forgets apps without sessions whose commits need no limit any more.
  mutating func forgetIdle(at now: Instant) {
    if apps.count > SessionTable.idleAppsMax { apps.removeAll { $0.isIdle(at: now) } }
  }
}

extension AppID {
  /// Whether the app has a manifest, so that the daemon knows it in each of its processes.
  var hasManifest: Bool { if case .listed = self { true } else { false } }
}
