import BinnacleBasics
import BinnacleModel

/// The sessions of one app, one for each role.
struct AppSessions: Equatable, Codable, Sendable {
  let app: AppID
  private var sessions = [HeldSession](
    repeating: HeldSession(), count: SessionRole.allCases.count)
  /// The record in the log.
  var written = SessionsRecord()
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

  /// When the next session lapses.
  var nextLapse: Instant? { sessions.compactMap(\.lapsesAt).min() }

  /// When the record must be written; nil if it is up to date.
  ///
  /// The end of a session does not wait for the commit limit: a power cut must not bring the session back.
  var nextWrite: Instant? {
    let record = record
    guard record != written else { return nil }
    guard !written.covers(record) else { return .zero }
    return paidAt - StorageLimits.sequencesCommitPeriod * (StorageLimits.sequencesCommitBurst - 1)
  }

  /// The record is written now; returns its value.
  mutating func write(at now: Instant) -> [UInt8]? {
    paidAt = max(paidAt, now) + StorageLimits.sequencesCommitPeriod
    written = record
    return written.bytes
  }

  /// Whether nothing of the app has to be remembered.
  func isIdle(at now: Instant) -> Bool {
    sessions.allSatisfy { $0.state == .none } && written == SessionsRecord() && paidAt <= now
  }
}
