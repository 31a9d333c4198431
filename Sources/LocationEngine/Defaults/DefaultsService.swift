import BinnacleBasics
import BinnacleModel
import StateLog

/// The changes of apps' defaults, until they are in the log.
///
/// Pieces are joined to a change, and the waiting changes of an app are joined to one commit. The values are records.
///
///     piece -> draft --last piece--> waiting --its turn--> underWay --kept, refused--> answered
///
/// At most one commit of an app is under way. The changes that wait for it are written together, with the last value of
/// each key. The order of changes is therefore preserved for any number of changes.
struct DefaultsService: Equatable, Codable, Sendable {
  /// A client that has opened the defaults of its app.
  struct Watcher: Equatable, Codable, Sendable {
    var client: ClientID
    var app: AppID
    /// The request that opened the defaults.
    var request: UInt32
  }

  /// A client that waits for an answer.
  struct Requester: Equatable, Codable, Sendable {
    var client: ClientID
    var request: UInt32
  }

  fileprivate struct Draft: Equatable, Codable, Sendable {
    var client: ClientID
    var entries: [DefaultsEntry] = []
    var size = 0
    var refusal: DefaultsRefusal?
  }

  /// The changes of one commit.
  struct Batch: Equatable, Codable, Sendable {
    var app: AppID
    var changes: [Change]
    var requesters: [Requester]
    /// The only client of these changes; nil if there are several.
    var author: ClientID?
  }

  private struct Flight: Equatable, Codable, Sendable {
    var number: UInt32
    var batch: Batch
  }

  private(set) var watchers: [Watcher] = []
  private var drafts: [Draft] = []
  private(set) var waiting: [Batch] = []
  private var underWay: [Flight] = []
  private var budget = CommitBudget()
  private var lastNumber: UInt32 = 0
  private(set) var isStopping = false
  private(set) var refusedCount = 0

  // MARK: Clients

  mutating func opened(_ watcher: Watcher) {
    watchers.removeAll { $0.client == watcher.client }
    watchers.append(watcher)
  }

  /// A change that a client has sent completely is written even if the client leaves.
  mutating func clientDisconnected(_ client: ClientID) {
    watchers.removeAll { $0.client == client }
    drafts.removeAll { $0.client == client }
    for index in waiting.indices { waiting[index].requesters.removeAll { $0.client == client } }
    for index in underWay.indices {
      underWay[index].batch.requesters.removeAll { $0.client == client }
    }
  }

  // MARK: Changes

  /// Takes a piece of a change.
  ///
  /// - Returns: the whole change with the last piece, or the refusal; nil before the last piece.
  mutating func take(
    _ entries: [DefaultsEntry], isLast: Bool, from client: ClientID
  ) -> Result<[DefaultsEntry], DefaultsRefusal>? {
    var draft = Draft(client: client)
    if let index = drafts.firstIndex(where: { $0.client == client }) {
      draft = drafts.remove(at: index)
    }
    draft.take(entries)
    guard isLast else {
      drafts.append(draft)
      return nil
    }
    if let refusal = draft.refusal { return .failure(refusal) }
    return .success(draft.entries)
  }

  /// Whether a change of this client is pending.
  func isWaiting(for client: ClientID) -> Bool {
    (waiting + underWay.map(\.batch)).contains { $0.requesters.contains { $0.client == client } }
  }

  /// Whether a change of this app is pending.
  func isBusy(with app: AppID) -> Bool {
    waiting.contains { $0.app == app } || underWay.contains { $0.batch.app == app }
  }

  /// The reason why a change exceeds the room beside stored and pending changes; nil if it does not.
  func objection(to changes: [Change], of owner: DefaultsKey.Owner, in records: RecordSet)
    -> String?
  {
    let others = unsettled
    let after = DefaultsRoom(of: owner, in: records, after: others + changes)
    guard after.isOverLimit else { return nil }
    return after.objection(before: DefaultsRoom(of: owner, in: records, after: others))
  }

  /// The reason why all pending changes together exceed the room; nil if they do not.
  func objectionToUnsettled(of owner: DefaultsKey.Owner, in records: RecordSet) -> String? {
    let after = DefaultsRoom(of: owner, in: records, after: unsettled)
    guard after.isOverLimit else { return nil }
    return after.objection(before: DefaultsRoom(of: owner, in: records, after: []))
  }

  /// Pending changes, the oldest first.
  var unsettled: [Change] { underWay.flatMap(\.batch.changes) + waiting.flatMap(\.changes) }

  /// Takes a change; it waits for its turn.
  mutating func add(_ changes: [Change], of app: AppID, for requester: Requester) {
    guard let index = waiting.firstIndex(where: { $0.app == app }) else {
      waiting.append(
        Batch(app: app, changes: changes, requesters: [requester], author: requester.client))
      return
    }
    for change in changes {
      waiting[index].changes.removeAll { $0.name == change.name }
      waiting[index].changes.append(change)
    }
    waiting[index].requesters.append(requester)
    if waiting[index].author != requester.client { waiting[index].author = nil }
  }

  // MARK: Commits

  /// The changes that may be written now, with the number of their commit; nil if there are none.
  mutating func next(over records: RecordSet, at now: Instant) -> (number: UInt32, Batch)? {
    for (index, batch) in waiting.enumerated() {
      guard let turn = turn(of: batch), turn <= now else { continue }
      waiting.remove(at: index)
      lastNumber &+= 1
      underWay.append(Flight(number: lastNumber, batch: batch))
      // A value that is stored already causes no write.
      if let owner = DefaultsKey(batch.app)?.owner,
        batch.changes.contains(where: { !records.isUnchanged(by: $0) })
      {
        budget.spend(owner, at: now)
      }
      return (lastNumber, batch)
    }
    return nil
  }

  /// When a change may be written; nil if another change of the app is under way.
  private func turn(of batch: Batch) -> Instant? {
    if underWay.contains(where: { $0.batch.app == batch.app }) { return nil }
    guard !isStopping, let owner = DefaultsKey(batch.app)?.owner else { return .zero }
    return budget.nextTurn(of: owner)
  }

  /// When the next waiting change may be written.
  var nextDeadline: Instant? { waiting.compactMap { turn(of: $0) }.min() }

  /// Removes the change that was under way.
  mutating func settled(_ number: UInt32) -> Batch? {
    underWay.firstIndex { $0.number == number }.map { underWay.remove(at: $0).batch }
  }

  mutating func refused() { refusedCount += 1 }

  /// Waiting changes are written now; the next daemon takes later changes.
  mutating func stopping() { isStopping = true }

  var isSettled: Bool { waiting.isEmpty && underWay.isEmpty }
}

extension DefaultsService.Draft {
  fileprivate mutating func take(_ more: [DefaultsEntry]) {
    guard refusal == nil else { return }
    for entry in more {
      if let objection = DefaultsLimits.objection(to: entry) { return refuse(objection) }
      size += entry.key.utf8.count + (entry.value?.encodedSize ?? 0)
      entries.append(entry)
    }
    if entries.count > DefaultsLimits.changesMax {
      refuse("more than \(DefaultsLimits.changesMax) keys are changed at once")
    } else if size > 2 * DefaultsLimits.sizeMax {
      refuse("more than \(2 * DefaultsLimits.sizeMax) bytes are changed at once")
    }
  }

  private mutating func refuse(_ text: String) {
    refusal = DefaultsRefusal(.limitReached, text)
    entries = []
  }
}
