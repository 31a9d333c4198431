import BinnacleBasics
import BinnacleModel

/// The sessions of one app, one for each role.
struct AppSessions: Equatable, Codable, Sendable {
  let app: AppID
  private var sessions = [HeldSession](
    repeating: HeldSession(), count: SessionRole.allCases.count)
  /// The records in the log.
  var written = SessionsRecord()
  var writtenOfProcess = ProcessSessionsRecord()
  /// When the whole commit burst of the app is available again.
  var paidAt = Instant.zero

  init(app: AppID) {
    self.app = app
  }

  /// The sessions of an earlier run.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - record: the record of its sessions.
  ///   - end: when the sessions of scripts lapse.
  init(app: AppID, recalled record: SessionsRecord, scriptsUntil end: Instant) {
    self.app = app
    written = record
    for role in SessionRole.allCases where record.contains(role) {
      self[role] = .waiting(until: record.isOfScript(role) ? end : nil)
    }
  }

  /// Takes the sessions of the app's processes over from an earlier run of the daemon.
  mutating func recall(_ record: ProcessSessionsRecord, until end: Instant) {
    writtenOfProcess = record
    for role in SessionRole.allCases {
      let processes = record.processes(of: role)
      if !processes.isEmpty { self[role] = .awaiting(processes, until: end) }
    }
  }

  subscript(role: SessionRole) -> HeldSession {
    get { sessions[Int(role.rawValue)] }
    set { sessions[Int(role.rawValue)] = newValue }
  }

  /// The record that the log must have: an app without a manifest has none.
  var record: SessionsRecord {
    var record = SessionsRecord()
    guard case .listed = app else { return record }
    for role in SessionRole.allCases where role.isRejoined && self[role].isHeld {
      record.insert(role, isOfScript: self[role].isOfScript)
    }
    return record
  }

  /// The record of the sessions that end with their process.
  var recordOfProcess: ProcessSessionsRecord {
    var record = ProcessSessionsRecord()
    guard case .listed = app else { return record }
    for role in SessionRole.allCases where role.isOfProcess {
      for processID in self[role].processIDs { record.insert(role, processID: processID) }
    }
    return record
  }

  /// When the next session lapses.
  var nextLapse: Instant? { sessions.compactMap(\.lapsesAt).min() }

  /// When a record must be written; nil if both are up to date.
  var nextWrite: Instant? { earlier(recordDue, recordOfProcessDue) }

  private var recordDue: Instant? {
    let record = record
    return record == written ? nil : due(hasEnded: written.covers(record))
  }

  private var recordOfProcessDue: Instant? {
    let record = recordOfProcess
    return record == writtenOfProcess ? nil : due(hasEnded: writtenOfProcess.covers(record))
  }

  /// When a changed record must be written.
  ///
  /// The end of a session does not wait for the commit limit: a power cut must not bring the session back.
  private func due(hasEnded: Bool) -> Instant {
    hasEnded
      ? .zero
      : paidAt - StorageLimits.sequencesCommitPeriod * (StorageLimits.sequencesCommitBurst - 1)
  }

  /// The records that are due, or at the daemon's stop all changed ones, are written now; returns their notes.
  ///
  /// The end of a session in one record does not write a beginning in the other, which waits for its turn.
  mutating func write(bootID: String, at now: Instant, isStopping: Bool) -> [SessionTable.Note] {
    guard let key = app.recordKey else { return [] }
    func isDue(_ due: Instant?) -> Bool { due.map { isStopping || $0 <= now } ?? false }
    var notes: [SessionTable.Note] = []
    if isDue(recordDue) {
      pay(at: now)
      written = record
      notes.append(.init(kind: RecordTable.sessions, key: key, value: written.bytes))
    }
    if isDue(recordOfProcessDue) {
      pay(at: now)
      writtenOfProcess = recordOfProcess
      let value = writtenOfProcess.bytes(bootID: bootID)
      notes.append(.init(kind: RecordTable.processSessions, key: key, value: value))
    }
    return notes
  }

  private mutating func pay(at now: Instant) {
    paidAt = max(paidAt, now) + StorageLimits.sequencesCommitPeriod
  }

  /// An operator has erased the sessions and their records.
  mutating func erase() {
    for role in SessionRole.allCases { self[role].erase() }
    (written, writtenOfProcess) = (SessionsRecord(), ProcessSessionsRecord())
  }

  /// Whether nothing of the app has to be remembered.
  func isIdle(at now: Instant) -> Bool {
    sessions.allSatisfy { $0.state == .none } && written == SessionsRecord()
      && writtenOfProcess == ProcessSessionsRecord() && paidAt <= now
  }
}
