import BinnacleBasics
import StateLog

/// The changes that wait to be written, and their times; see ``CommitClass``.
///
/// The schedule knows no disk and no clock. Of several changes of one name only the last waits.
struct CommitSchedule: Equatable, Codable, Sendable {
  private struct Waiting: Equatable, Codable, Sendable {
    var change: Change
    var commitClass: CommitClass
    var dueAt: Instant
  }

  /// The geometry of the log, which bounds each commit.
  var geometry: LogGeometry
  private var waiting: [Waiting] = []
  /// How many bytes of records wait.
  private(set) var waitingSize = 0
  /// Changes that were dropped because too many waited.
  private(set) var droppedCount = 0

  init(geometry: LogGeometry) {
    self.geometry = geometry
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// When the next commit is due; nil when nothing waits.
  var nextDeadline: Instant? { waiting.lazy.map(\.dueAt).min() }

  /// Takes a change that is to be written.
  ///
  /// - Parameters:
  ///   - kind: the type of the record.
  ///   - key: the record's key within its type.
  ///   - value: the new value; nil to remove the record.
  ///   - records: the acknowledged records.
  ///   - now: when the value changed.
  /// - Throws: why the change cannot be written; the waiting changes are then unchanged.
  mutating func add(
    _ kind: RecordKind, key: [UInt8] = [], value: [UInt8]?, over records: RecordSet,
    at now: Instant
  ) throws(RecordRefusal) {
    let change = try kind.change(key: key, to: value)
    if value != nil, !isThere(change.name, over: records),
      count(of: kind, over: records) >= kind.countMax
    {
      throw .tooMany(kind: kind.name, countMax: kind.countMax)
    }
    place(change, kind.commitClass, at: now)
  }

  /// Takes the waiting changes that fit into the blocks of these changes, and so cause no further write.
  mutating func companions(of changes: [Change]) -> [Change] {
    var size = changes.reduce(0) { $0 + $1.encodedSize }
    let room = geometry.roomInBlocks(ofPayload: size)
    var taken: [Change] = []
    var rest: [Waiting] = []
    for one in waiting {
      if size + one.change.encodedSize <= room {
        size += one.change.encodedSize
        waitingSize -= one.change.encodedSize
        taken.append(one.change)
      } else {
        rest.append(one)
      }
    }
    waiting = rest
    return taken
  }

  /// Forgets the waiting changes of these names: a later decision replaces them, or nothing is to be written.
  ///
  /// - Returns: the forgotten changes.
  @discardableResult
  mutating func withdraw(_ names: [RecordName]) -> [Change] {
    let withdrawn = waiting.map(\.change).filter { names.contains($0.name) }
    waiting.removeAll { names.contains($0.change.name) }
    waitingSize -= withdrawn.reduce(0) { $0 + $1.encodedSize }
    return withdrawn
  }

  /// The waiting changes.
  var changes: [Change] { waiting.map(\.change) }

  /// The names of the waiting changes.
  var names: [RecordName] { waiting.map(\.change.name) }

  /// Whether a change of this name waits.
  func holds(_ name: RecordName) -> Bool { waiting.contains { $0.change.name == name } }

  /// Gives the changes to commit now.
  ///
  /// Due changes come first; then other waiting changes go along as far as they fit into the blocks that are written
  /// anyway. A due change that does not fit into the commit stays due.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - isStopping: whether everything is due.
  /// - Returns: the changes; none when nothing is due.
  mutating func take(at now: Instant, isStopping: Bool = false) -> [Change] {
    var size = 0
    var taken = waiting.map { one in
      // A change that is too large for any commit goes alone, so that the log refuses it.
      let fits = size == 0 || size + one.change.encodedSize <= geometry.commitSizeMax
      guard isStopping || one.dueAt <= now, fits else { return false }
      size += one.change.encodedSize
      return true
    }
    guard size > 0 else { return [] }
    let room = geometry.roomInBlocks(ofPayload: size)
    for (index, one) in waiting.enumerated()
    where !taken[index] && size + one.change.encodedSize <= room {
      taken[index] = true
      size += one.change.encodedSize
    }
    let changes = zip(waiting, taken).filter { $0.1 }.map { $0.0.change }
    waiting = zip(waiting, taken).filter { !$0.1 }.map { $0.0 }
    waitingSize -= size
    return changes
  }

  /// Takes back changes that could not be committed, to be tried again later.
  ///
  /// Changes of class `now` are kept only with `isEverything`. Otherwise their requester gets the failure and may
  /// repeat the request.
  mutating func takeBack(
    _ changes: [Change], isEverything: Bool = false, at now: Instant
  ) {
    let newer = Set(waiting.map(\.change.name))
    for change in changes where !newer.contains(change.name) {
      guard let kind = RecordTable.kind(change.name.kind) else { continue }
      if kind.commitClass == .now, !isEverything { continue }
      let dueAt = now + StorageLimits.retryDelay
      insert(Waiting(change: change, commitClass: kind.commitClass, dueAt: dueAt))
    }
    for index in waiting.indices {
      waiting[index].dueAt = max(waiting[index].dueAt, now + StorageLimits.retryDelay)
    }
  }

  private mutating func place(_ change: Change, _ commitClass: CommitClass, at now: Instant) {
    var dueAt = now + commitClass.delayMax
    if let index = waiting.firstIndex(where: { $0.change.name == change.name }) {
      // The wait counts from the first change. Otherwise a value that changes often would never be written.
      dueAt = min(dueAt, waiting[index].dueAt)
      waitingSize -= waiting.remove(at: index).change.encodedSize
    }
    // Changes of one class are written together, when the first of them is due.
    let first = waiting.first { $0.commitClass == commitClass }
    dueAt = min(dueAt, first?.dueAt ?? dueAt)
    insert(Waiting(change: change, commitClass: commitClass, dueAt: dueAt))
    let alike = waiting.indices.filter { waiting[$0].commitClass == commitClass }
    guard alike.count >= commitClass.waitingMax else { return }
    for index in alike { waiting[index].dueAt = min(waiting[index].dueAt, now) }
  }

  private mutating func insert(_ one: Waiting) {
    waiting.append(one)
    waitingSize += one.change.encodedSize
    while waitingSize > StorageLimits.waitingSizeMax,
      let oldest = waiting.firstIndex(where: { $0.commitClass == .group })
    {
      waitingSize -= waiting.remove(at: oldest).change.encodedSize
      droppedCount += 1
    }
  }

  /// Whether there will be a record when the waiting changes are written.
  private func isThere(_ name: RecordName, over records: RecordSet) -> Bool {
    guard let one = waiting.first(where: { $0.change.name == name }) else {
      return records[name] != nil
    }
    return one.change.action != .remove
  }

  /// How many records of a type there will be when the waiting changes are written.
  private func count(of kind: RecordKind, over records: RecordSet) -> Int {
    waiting.reduce(records.count(ofKind: kind.number)) { count, one in
      guard one.change.name.kind == kind.number else { return count }
      let isThere = records[one.change.name] != nil
      if case .remove = one.change.action { return isThere ? count - 1 : count }
      return isThere ? count : count + 1
    }
  }
}
