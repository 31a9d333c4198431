import BinnacleBasics
import BinnacleModel
import StateLog

/// The answers that persons have given, one for each app.
///
/// A grant whose last change is lost by damage counts as a denial: the lost change may have been a denial. While a loss of
/// state is not accepted, an app without an entry may have had a denial, too; ``AppTable/authorization(of:file:)`` applies that.
struct GrantTable: Equatable, Codable, Sendable {
  private(set) var entries: [Entry] = []
  /// Records that could not be read or are lost; their apps are denied.
  private(set) var lostCount = 0
  /// Whether the log was read, or erased.
  private(set) var isRead = false
  /// Apps that are denied because of a loss, until an operator accepts the loss.
  private var lost: [AppID] = []
  /// Apps whose answers a person has removed in this run.
  private var released: [AppID] = []
  /// Whether all answers were erased in this run.
  private var isErased = false

  /// The last apps whose answers a person has removed are remembered.
  private static let releasedMax = 256
  /// The most programs without a manifest of a user that have an answer after a denial by this user.
  static let unlistedPerUserMax = 32
  /// The most apps without a manifest, of all users, that have an answer after a denial by a user that may not operate: a person
  /// may have many user numbers.
  static let unlistedMax = 128

  struct Entry: Equatable, Codable, Sendable {
    let app: AppID
    var grant: Grant
  }

  subscript(app: AppID) -> Grant? { entries.first { $0.app == app }?.grant }

  /// Takes the records of the log.
  ///
  /// - Parameters:
  ///   - reading: the log.
  ///   - isFirst: whether this is the first reading. A later reading gives no app another answer than the one in memory,
  ///     which is newer.
  ///   - effects: gets a line for each lost answer.
  mutating func adopt(
    _ reading: StateReading, isFirst: Bool, into effects: inout [Effect]
  ) {
    guard reading.obstacle == nil else { return }
    isRead = true
    let kind = RecordTable.grant.number
    for entry in reading.records.entries where entry.name.kind == kind {
      let app = AppID(grantKey: entry.name.key)
      if !isFirst, isErased || app.map({ self[$0] != nil || isReleased($0) }) ?? false { continue }
      if let app, let grant = Grant(bytes: entry.value) {
        set(grant, for: app)
      } else {
        lose(entry.name.key, into: &effects)
      }
    }
    for name in reading.withheld where name.kind == kind {
      lose(name.key, into: &effects)
      if let app = AppID(grantKey: name.key) { lost.append(app) }
    }
  }

  /// An operator has accepted the loss of state: the apps whose answers are lost may ask again.
  mutating func lossAccepted() {
    entries.removeAll { $0.grant.source == .damage && lost.contains($0.app) }
    lost = []
  }

  /// Whether a person has removed the answer for an app in this run.
  func isReleased(_ app: AppID) -> Bool { released.contains(app) }

  /// Denies an app whose last answer is lost.
  private mutating func lose(_ key: [UInt8], into effects: inout [Effect]) {
    lostCount += 1
    let name = String(decoding: key, as: UTF8.self)
    effects.append(
      .log(
        .warning,
        "\(name): denied, because the last answer about it is lost; 'binnacle reset' lets it ask again"
      ))
    if let app = AppID(grantKey: key) { set(Grant(.denied, by: .damage), for: app) }
  }

  /// Sets or removes the answer for an app.
  mutating func set(_ grant: Grant?, for app: AppID) {
    let index = entries.firstIndex { $0.app == app }
    released.removeAll { $0 == app }
    if grant == nil { released = released.suffix(GrantTable.releasedMax - 1) + [app] }
    switch (index, grant) {
    case (let index?, let grant?): entries[index].grant = grant
    case (let index?, nil): entries.remove(at: index)
    case (nil, let grant?): entries.append(Entry(app: app, grant: grant))
    case (nil, nil): return
    }
  }

  /// Forgets all answers.
  mutating func removeAll() { (entries, isErased, isRead) = ([], true, true) }
}

extension AppID {
  /// The name of the record of the app's grant; nil for a path that is too long.
  var grantRecord: RecordName? { grantKey.flatMap(RecordTable.grant.named) }

  /// The app as the key of its grant and in records of its use, in readable text.
  ///
  /// An unknown program has the key of its user, such as `1000:`. nil for a path that is too long.
  var grantKey: [UInt8]? {
    switch self {
    case .unresolved(let userID): Array("\(userID):".utf8)
    case .door: Array("\(self)".utf8)
    case .listed, .unlisted: recordKey
    }
  }

  /// The app of a grant's key; nil if the key is not the key of an app.
  init?(grantKey key: [UInt8]) {
    if let app = AppID(recordKey: key) {
      self = app
      return
    }
    guard let text = String(validating: key, as: UTF8.self) else { return nil }
    if let reader = AppID(doorReader: text) {
      self = reader
      return
    }
    guard text.last == ":", let userID = UInt32(text.dropLast()) else { return nil }
    self = .unresolved(userID: userID)
    // Only the form that `grantKey` writes is accepted.
    if grantKey != key { return nil }
  }
}
