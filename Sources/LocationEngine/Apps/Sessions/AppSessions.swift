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
    for entry in record.entries {
      self[entry.role] = .awaiting(entry.processID, until: end)
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
    for role in SessionRole.allCases where role.isOfProcess && self[role].isHeld {
      if let processID = self[role].processID { record.insert(role, processID: processID) }
    }
    return record
  }

  /// When the next session lapses.
  var nextLapse: Instant? { sessions.compactMap(\.lapsesAt).min() }

  /// When a record must be written; nil if both are up to date.
  ///
  /// The end of a session does not wait for the commit limit: a power cut must not bring the session back.
  var nextWrite: Instant? {
    let (record, recordOfProcess) = (record, recordOfProcess)
    let isOutdated = record != written
    let isOutdatedOfProcess = recordOfProcess != writtenOfProcess
    guard isOutdated || isOutdatedOfProcess else { return nil }
    let hasEnded = isOutdated && written.covers(record)
    let hasEndedOfProcess = isOutdatedOfProcess && writtenOfProcess.covers(recordOfProcess)
    if hasEnded || hasEndedOfProcess { return .zero }
    return paidAt - StorageLimits.sequencesCommitPeriod * (StorageLimits.sequencesCommitBurst - 1)
  }

  /// The outdated records are written now; returns their notes.
  mutating func write(bootID: String, at now: Instant) -> [SessionTable.Note] {
    guard let key = app.recordKey else { return [] }
    paidAt = max(paidAt, now) + StorageLimits.sequencesCommitPeriod
    var notes: [SessionTable.Note] = []
    if record != written {
      written = record
      notes.append(.init(kind: RecordTable.sessions, key: key, value: written.bytes))
    }
    if recordOfProcess != writtenOfProcess {
      writtenOfProcess = recordOfProcess
      let value = writtenOfProcess.bytes(bootID: bootID)
      notes.append(.init(kind: RecordTable.processSessions, key: key, value: value))
    }
    return notes
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
