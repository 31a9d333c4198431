import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The records of grants and sessions that the disk has acknowledged, and those that may be on the disk as well.
struct GrantLedger: Sendable {
  /// A record that a commit has changed.
  struct Outcome: Sendable {
    let name: RecordName
    let value: [UInt8]?
    let isKept: Bool
  }

  private struct Entry: Sendable {
    let name: RecordName
    var kept: [UInt8]?
    var ordered: (number: UInt32, value: [UInt8]?)?
    /// The values of failed commits; each may be on the disk until a later commit is acknowledged.
    var failed: [[UInt8]?] = []
    var orderCount = 0
  }

  private var entries: [Entry] = []
  private(set) var hasDiskFailed = false

  private static func isOfRights(_ name: RecordName) -> Bool {
    [RecordTable.grant, RecordTable.sessions, RecordTable.processSessions].map(\.number)
      .contains(name.kind)
  }

  /// The acknowledged value of a record.
  func kept(_ name: RecordName) -> [UInt8]? { entries.first { $0.name == name }?.kept }

  func orderCount(_ name: RecordName) -> Int {
    entries.first { $0.name == name }?.orderCount ?? 0
  }

  mutating func ordered(_ number: UInt32, _ changes: [Change]) {
    for change in changes where GrantLedger.isOfRights(change.name) {
      var value: [UInt8]?
      if case .put(let bytes, _) = change.action { value = bytes }
      let known = entries.firstIndex { $0.name == change.name }
      if known == nil { entries.append(Entry(name: change.name)) }
      let index = known ?? entries.count - 1
      entries[index].ordered = (number, value)
      entries[index].orderCount += 1
    }
  }

  /// The disk has answered; returns the changed records.
  mutating func settled(_ number: UInt32, isKept: Bool) -> [Outcome] {
    if !isKept { hasDiskFailed = true }
    var outcomes: [Outcome] = []
    for index in entries.indices {
      guard let ordered = entries[index].ordered, ordered.number == number else { continue }
      entries[index].ordered = nil
      if isKept {
        entries[index].kept = ordered.value
        entries[index].failed = []
      } else {
        entries[index].failed.append(ordered.value)
      }
      outcomes.append(Outcome(name: entries[index].name, value: ordered.value, isKept: isKept))
    }
    return outcomes
  }

  /// Checks the log after a power cut or the daemon's end: acknowledged records are present.
  mutating func restarted(with reading: StateReading) -> String? {
    var wrong: String?
    for entry in entries {
      let found = reading.records[entry.name]
      let isUncertain = entry.ordered != nil || !entry.failed.isEmpty
      if found == entry.kept || isUncertain && reading.withheld.contains(entry.name) { continue }
      if let ordered = entry.ordered, ordered.value == found { continue }
      if entry.failed.contains(found) { continue }
      let kind = entry.name.kind == RecordTable.grant.number ? "an answer" : "a session"
      wrong = "\(kind) was acknowledged, and is not on the disk"
    }
    entries = reading.records.entries.filter { GrantLedger.isOfRights($0.name) }
      .map { Entry(name: $0.name, kept: $0.value) }
    hasDiskFailed = reading.obstacle != nil
    return wrong
  }
}

extension RightsModel.Answer {
  /// The answer in the value of a record of a grant (`SPEC-state.md`); nil without a value.
  init?(record: [UInt8]?) {
    guard let record else { return nil }
    var reader = ByteReader(record)
    guard reader.u8() == 2, let number = reader.u8(),
      let authorization = Authorization(rawValue: number), reader.u8() != nil,
      let flags = reader.u8(), reader.i64() != nil, let device = reader.u64(),
      let file = reader.u64(), let changeTime = reader.i64()
    else { return nil }
    self.init(
      authorization: authorization, isAlwaysAnswered: flags & 1 != 0, isReduced: flags & 2 != 0,
      file: device == 0 && file == 0
        ? nil
        : ProgramFile(device: device, number: file, changeTimeNanoseconds: changeTime))
  }

  /// Whether the answer denies, or gives less than the answer before and nothing more.
  func takesAway(from before: RightsModel.Answer?) -> Bool {
    if authorization == .denied { return true }
    guard let before, before.authorization != .denied, before.file == file else { return false }
    switch (before.authorization, authorization) {
    case (.whenInUse, .always): return false
    case (.always, .whenInUse): return isReduced || !before.isReduced
    case _: return isReduced && !before.isReduced
    }
  }
}
