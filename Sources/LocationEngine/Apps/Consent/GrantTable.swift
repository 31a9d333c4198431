import BinnacleBasics
import BinnacleModel
import StateLog

/// The answers that persons have given, one for each app.
///
/// A grant whose last change is lost by damage counts as a denial: the lost change may have been a denial.
struct GrantTable: Equatable, Codable, Sendable {
  private(set) var entries: [Entry] = []
  /// Records that could not be read or are lost; their apps are denied.
  private(set) var lostCount = 0
  /// Whether the log was read.
  private(set) var isRead = false
  /// Apps about which a person has answered before the log could be read.
  private var answeredEarly: [AppID] = []

  struct Entry: Equatable, Codable, Sendable {
    let app: AppID
    var grant: Grant
  }

  subscript(app: AppID) -> Grant? { entries.first { $0.app == app }?.grant }

  /// Takes the records of the log.
  ///
  /// The first reading gives the answers of earlier runs. It may come late, if the log could not be read at the start. A
  /// later reading can only take rights away, because the answers in memory are newer.
  mutating func adopt(_ reading: StateReading, into effects: inout [Effect]) {
    guard reading.obstacle == nil else { return }
    let kind = RecordTable.grant.number
    for entry in reading.records.entries where !isRead && entry.name.kind == kind {
      guard let app = AppID(grantKey: entry.name.key), let grant = Grant(bytes: entry.value) else {
        lose(entry.name.key, into: &effects)
        continue
      }
      if !answeredEarly.contains(app) { set(grant, for: app) }
    }
    (isRead, answeredEarly) = (true, [])
    for name in reading.withheld where name.kind == kind { lose(name.key, into: &effects) }
  }

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
    if !isRead { answeredEarly.append(app) }
    let index = entries.firstIndex { $0.app == app }
    switch (index, grant) {
    case (let index?, let grant?): entries[index].grant = grant
    case (let index?, nil): entries.remove(at: index)
    case (nil, let grant?): entries.append(Entry(app: app, grant: grant))
    case (nil, nil): return
    }
  }

  /// Forgets all answers.
  mutating func removeAll() { (entries, isRead) = ([], true) }
}

extension AppID {
  /// The app as the key of its grant, in readable text.
  ///
  /// An unknown program has the key of its user, such as `1000:`. nil for a door, and for a path that is too long.
  var grantKey: [UInt8]? {
    if case .unresolved(let userID) = self { return Array("\(userID):".utf8) }
    return recordKey
  }

  /// The app of a grant's key; nil if the key is not the key of an app.
  init?(grantKey key: [UInt8]) {
    if let app = AppID(recordKey: key) {
      self = app
      return
    }
    guard let text = String(validating: key, as: UTF8.self), text.last == ":",
      let userID = UInt32(text.dropLast())
    else { return nil }
    self = .unresolved(userID: userID)
    // Only the form that `grantKey` writes is accepted.
    if grantKey != key { return nil }
  }
}
