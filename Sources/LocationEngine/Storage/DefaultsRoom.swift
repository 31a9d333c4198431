import BinnacleModel
import StateLog

/// The room that apps take in the log, and whether another change fits.
struct DefaultsRoom: Equatable, Sendable {
  private let owner: DefaultsKey.Owner
  /// The owner's keys, and bytes of keys and values.
  private var count = 0
  private var size = 0
  /// Bytes of records.
  private var unlistedRecordSize = 0
  private var recordSize = 0

  /// Counts the records after all of these changes; a later change replaces an earlier change of the same name.
  init(of owner: DefaultsKey.Owner, in records: RecordSet, after changes: [Change]) {
    self.owner = owner
    var last: [RecordName: Change] = [:]
    for change in changes { last[change.name] = change }
    for entry in records.entries
    where entry.name.kind == RecordTable.appDefaults.number && last[entry.name] == nil {
      add(entry.change)
    }
    for change in changes where last[change.name] == change {
      // Equal changes of one name count once.
      last[change.name] = nil
      add(change)
    }
  }

  private mutating func add(_ change: Change) {
    guard case .put(let value, _) = change.action else { return }
    recordSize += change.encodedSize
    if !DefaultsKey.isListed(change.name) { unlistedRecordSize += change.encodedSize }
    guard owner.owns(change.name), let keySize = DefaultsKey.keySize(in: change.name) else {
      return
    }
    count += 1
    size += keySize + value.count
  }

  /// Whether a limit is reached.
  var isOverLimit: Bool {
    DefaultsLimits.objection(count: count, size: size) != nil
      || (!owner.isListed && unlistedRecordSize > DefaultsLimits.unlistedRecordSizeMax)
      || recordSize > DefaultsLimits.recordSizeMax
  }

  /// Why the room exceeds a limit; nil if it is within the limits, or if it has not grown since `before`.
  func objection(before: DefaultsRoom) -> String? {
    let isMore = count > before.count || size > before.size
    if isMore, let objection = DefaultsLimits.objection(count: count, size: size) {
      return owner.isListed
        ? objection : "programs of a user that have no manifest share their room: \(objection)"
    }
    if !owner.isListed, unlistedRecordSize > before.unlistedRecordSize,
      unlistedRecordSize > DefaultsLimits.unlistedRecordSizeMax
    {
      return "programs without a manifest take all of their "
        + "\(DefaultsLimits.unlistedRecordSizeMax) bytes; a manifest in apps.d gives this one "
        + "room of its own"
    }
    if recordSize > before.recordSize, recordSize > DefaultsLimits.recordSizeMax {
      return "all apps together take all of their \(DefaultsLimits.recordSizeMax) bytes; "
        + "remove something first"
    }
    return nil
  }
}
