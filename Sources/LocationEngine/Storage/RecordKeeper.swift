import BinnacleBasics
import BinnacleModel
import StateLog

/// The log of state: acknowledged records, changes that wait, and one commit under way.
///
///     keep(record) ----> CommitSchedule --due--+
///     decide(decision) --> pending ------------+--> Effect.commit --> committed, failed --> CommitOutcome
///
/// At most one commit is under way, and each decision is a commit of its own; waiting changes go along if there is
/// room. Without a log, a decision that gives is not carried out, a decision that takes away is carried out, and lazy
/// changes wait. On a disk that does not answer, a decision that takes away waits ``StorageLimits/denialPatience`` for
/// its effect; it is then written in its turn.
struct RecordKeeper: Equatable, Codable, Sendable {
  /// A decision with its outcome.
  struct CommitOutcome: Equatable, Sendable {
    var orders: [StateOrder]
    var requester: Requester
    /// Why the decision is not kept; nil if it is kept.
    var failure: StorageFault?
  }

  struct Pending: Equatable, Codable, Sendable {
    var decision: Decision<StateOrder>
    var requester: Requester
    var decidedAt: Instant
    /// Whether no other change goes along.
    var isAlone = false
    /// Older changes of the same names that waited; they are tried again when the decision fails.
    var older: [Change] = []
    /// Whether the requester is answered, and the orders are carried out or refused.
    var isSettled = false

    /// The names of the decision's records.
    var names: [RecordName] { decision.changes.map(\.name) }

    /// Whether a later decision has taken its place, so that its write is not repeated.
    var isOvertaken: Bool { isSettled && decision.direction == .gives }

    /// When the decision has its effect without an answer of the disk; nil: it waits for the answer, as each erasure does.
    var overdueAt: Instant? {
      guard !isSettled, decision.direction == .takesAway, !decision.isErasure else { return nil }
      return decidedAt + StorageLimits.denialPatience
    }

    func touches(_ names: [RecordName]) -> Bool {
      decision.changes.contains { names.contains($0.name) }
    }
  }

  struct Flight: Equatable, Codable, Sendable {
    var number: UInt32
    var changes: [Change]
    /// Changes that go along.
    var companions: [Change]
    var pending: Pending?
    /// Whether changes that find no room were left out.
    var isRemainder = false

    var allChanges: [Change] { changes + companions }
  }

  private(set) var log = LogMachine(name: "state")
  /// The acknowledged records.
  private(set) var records = RecordSet()
  private(set) var schedule = CommitSchedule(geometry: .ofFile)
  private(set) var pending: [Pending] = []
  private(set) var writes = WriteStatistics()
  private(set) var flight: Flight?
  /// Records of rights whose last write has failed: the disk may have the change until a later commit succeeds.
  private(set) var doubtful: [RecordName] = []
  /// When an empty commit tests whether the disk works again.
  private var probeAt: Instant?
  private var passing = PassedByAddress()
  /// The reason why the mark of the log cannot be written; nil if it can be written.
  private(set) var markFault: String?

  var isStopping: Bool { log.isStopping }

  /// Why the records cannot be read; nil if they can be read.
  var readingObstacle: String? { log.obstacle }

  /// The acknowledged value of a type that has one record; nil when there is none.
  func value(of kind: RecordKind) -> [UInt8]? { records[RecordName(kind: kind.number)] }

  /// Whether nothing is under way and nothing waits that could be written.
  var isSettled: Bool {
    guard !isBusy else { return false }
    return !log.isOpen || (pending.isEmpty && (schedule.isEmpty || log.fault != nil))
  }

  /// Whether a commit is under way.
  ///
  /// Compares by pattern: a comparison with nil copies the whole commit.
  var isBusy: Bool { if case .some = flight { true } else { false } }

  private var probeDue: Instant? { log.fault != nil && !isStopping ? probeAt : nil }

  var nextDeadline: Instant? {
    guard log.isOpen else { return log.reopensAt }
    return isBusy ? nextOverdue : earlier(schedule.nextDeadline, probeDue)
  }

  /// When a decision has its effect without an answer of the disk; nil without such a decision.
  private var nextOverdue: Instant? {
    pending.reduce(flight?.pending?.overdueAt) { earlier($0, $1.overdueAt) }
  }

  // MARK: Orders

  /// Stores a record at the time of its commit class; an equal value causes no write, unless the disk may have another one.
  mutating func keep(
    _ kind: RecordKind, key: [UInt8] = [], value: [UInt8]?, at now: Instant,
    into effects: inout [Effect]
  ) -> [CommitOutcome] {
    do throws(RecordRefusal) {
      let change = try kind.change(key: key, to: value)
      if !isUnderWay(change.name), !doubtful.contains(change.name), records.isUnchanged(by: change)
      {
        schedule.withdraw([change.name])
        return []
      }
      try schedule.add(kind, key: key, value: value, over: records, at: now)
    } catch {
      effects.append(.log(.warning, "state: not kept: \(error)"))
    }
    return pump(at: now, into: &effects)
  }

  /// Takes a decision; its orders come with a ``CommitOutcome``, now or when the disk has answered.
  mutating func decide(
    _ decision: Decision<StateOrder>, for requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) -> [CommitOutcome] {
    let one = Pending(decision: decision, requester: requester, decidedAt: now)
    switch log.condition {
    case .closed(let reason, _), .opening(let reason):
      return fail(one, .init(.closed, reason), at: now)
    case .unread, .open:
      guard pending.count < StorageLimits.decisionsWaitingMax else {
        let overtaken = decision.direction == .takesAway ? overtake(one.names, at: now) : []
        return overtaken + fail(one, RecordKeeper.busy, at: now)
      }
      enqueue(one)
      return pump(at: now, into: &effects)
    }
  }

  /// Everything that waits is due: the daemon stops.
  mutating func stopping(at now: Instant, into effects: inout [Effect]) -> [CommitOutcome] {
    log.stopRequested()
    return pump(at: now, into: &effects)
  }

  /// Everything that waits is due: nothing is to be written for a while.
  mutating func writeAll(at now: Instant, into effects: inout [Effect]) -> [CommitOutcome] {
    log.writeAllRequested()
    return pump(at: now, into: &effects)
  }

  // MARK: Answers of the log writer

  /// The log was read, or cannot be read.
  mutating func read(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) -> [CommitOutcome] {
    if let obstacle = reading.obstacle {
      log.obstructed(by: obstacle, at: now, into: &effects)
      let all = pending
      pending = []
      return all.flatMap { fail($0, .init(.closed, obstacle.text), at: now) }
    }
    log.opened(into: &effects)
    records = reading.records
    schedule.geometry = reading.geometry
    probeAt = nil
    doubtful = []
    return pump(at: now, into: &effects)
  }

  mutating func committed(
    _ number: UInt32, _ receipt: CommitReceipt, at now: Instant, into effects: inout [Effect]
  ) -> [CommitOutcome] {
    guard let flight, flight.number == number else { return [] }
    self.flight = nil
    for change in flight.allChanges { records.apply(change) }
    log.written(receipt)
    writes.add(receipt, of: flight.allChanges, at: now)
    // The log is still full for the changes that were left out.
    if !flight.isRemainder { log.committed(isCounted: receipt.sequence != nil, into: &effects) }
    probeAt = nil
    doubtful = []
    let settled = flight.pending.map { settle($0, nil) } ?? []
    return settled + pump(at: now, into: &effects)
  }

  mutating func failed(
    _ number: UInt32, _ failure: CommitFailure, at now: Instant, into effects: inout [Effect]
  ) -> [CommitOutcome] {
    guard let flight, flight.number == number else { return [] }
    self.flight = nil
    log.failed(failure, into: &effects)
    probeAt = if case .fault = failure { now + StorageLimits.retryDelay } else { nil }
    if case .fault = failure { doubt(flight.allChanges) }
    var settled: [CommitOutcome] = []
    if let one = flight.pending {
      schedule.takeBack(flight.companions, isEverything: true, at: now)
      if case .full = failure, !flight.companions.isEmpty, !one.isOvertaken {
        // The companions may be the changes that exceed the room.
        var again = one
        again.isAlone = true
        pending.insert(again, at: 0)
      } else {
        settled = fail(one, .init(.notWritten, failure.description), at: now)
      }
    } else if case .tooLarge = failure {
      effects.append(.log(.error, "state: changes are dropped: \(failure)"))
    } else {
      var rest = flight.changes
      if case .full = failure { rest = sendWithoutGrowth(rest, into: &effects) }
      schedule.takeBack(rest, isEverything: true, at: now)
    }
    return settled + pump(at: now, into: &effects)
  }

  /// The mark of the log cannot be written, or was written again.
  mutating func markChanged(fault: String?, into effects: inout [Effect]) {
    switch (markFault, fault) {
    case (nil, let fault?):
      effects.append(.log(.warning, "state: \(fault); 'binnacle doctor' names the remedy"))
    case (.some, nil):
      effects.append(.log(.notice, "state: the mark of the log was written again"))
    case (nil, nil), (.some, .some): break
    }
    markFault = fault
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) -> [CommitOutcome] {
    if log.deadlineReached(at: now) {
      effects.append(.storage(.open))
      return []
    }
    return settleOverdue(at: now) + pump(at: now, into: &effects)
  }

  // MARK: Helpers

  /// Puts a decision into the queue.
  ///
  /// A decision that takes away goes before those that give, but not before an earlier one about the same records.
  private mutating func enqueue(_ one: Pending) {
    guard one.decision.direction == .takesAway else { return pending.append(one) }
    let names = one.names
    let last = pending.lastIndex { $0.decision.direction == .takesAway || $0.touches(names) }
    pending.insert(one, at: last.map { $0 + 1 } ?? 0)
  }

  /// Gives the next commit when none is under way.
  private mutating func pump(at now: Instant, into effects: inout [Effect]) -> [CommitOutcome] {
    var settled: [CommitOutcome] = []
    guard log.isOpen, flight == nil else { return settled }
    while flight == nil, !pending.isEmpty {
      var one = pending.removeFirst()
      // The waiting changes are later ones if the decision has had its effect already.
      if !one.isSettled { one.older += schedule.withdraw(one.names) }
      // After a failed commit the disk may have its changes, so a decision that equals the record is written, too.
      let isDoubtful = log.fault != nil
      let wanted = one.decision.changes.filter { isDoubtful || !records.isUnchanged(by: $0) }
      if let refusal = refusal(of: wanted) {
        settled += fail(one, .init(.refused, refusal.description), at: now)
      } else if wanted.isEmpty {
        settled += settle(one, nil)
      } else {
        let companions = one.isAlone || one.isSettled ? [] : schedule.companions(of: wanted)
        send(wanted, companions, one, into: &effects)
      }
    }
    while flight == nil {
      if schedule.isEmpty { log.emptied() }
      let taken = schedule.take(at: now, isStopping: log.isUrgent)
      if taken.isEmpty { break }
      let wanted = taken.filter { doubtful.contains($0.name) || !records.isUnchanged(by: $0) }
      if !wanted.isEmpty { send(wanted, [], nil, into: &effects) }
    }
    if flight == nil, let due = probeDue, due <= now {
      // A commit without changes: the log rewrites its records if its end is doubtful.
      send([], [], nil, into: &effects)
    }
    return settled
  }

  /// Sends those of the changes again that need no room, because the log is full.
  ///
  /// - Returns: the other changes.
  private mutating func sendWithoutGrowth(
    _ changes: [Change], into effects: inout [Effect]
  ) -> [Change] {
    let growing = changes.filter { records.growth(by: $0) > 0 }
    let others = changes.filter { records.growth(by: $0) <= 0 }
    guard !growing.isEmpty, !others.isEmpty else { return changes }
    send(others, [], nil, into: &effects)
    flight?.isRemainder = true
    return growing
  }

  /// Notes the records of rights that the disk may have although their commit failed.
  private mutating func doubt(_ changes: [Change]) {
    let names = changes.map(\.name).filter { name in
      !doubtful.contains(name) && RecordTable.kind(name.kind)?.isOfRights == true
    }
    doubtful = Array((doubtful + names).suffix(StorageLimits.doubtfulMax))
  }

  private mutating func send(
    _ changes: [Change], _ companions: [Change], _ pending: Pending?, into effects: inout [Effect]
  ) {
    let number = log.nextNumber()
    flight = Flight(number: number, changes: changes, companions: companions, pending: pending)
    effects.append(.storage(.commit(number: number, changes + companions)))
  }

  /// The changes of a decision are not written.
  ///
  /// - Returns: the outcome; none if the requester has its answer already.
  private mutating func fail(
    _ one: Pending, _ failure: StorageFault, at now: Instant
  ) -> [CommitOutcome] {
    switch one.decision.direction {
    case .gives:
      guard !one.isSettled, !one.older.isEmpty else { break }
      schedule.takeBack(one.older, isEverything: true, at: now)
    case .takesAway:
      // The decision holds now. Its changes are retried until the decision also holds after the next start. After its effect
      // only later changes of its records wait, and they remain.
      if !one.isSettled { schedule.withdraw(one.names) }
      schedule.takeBack(one.decision.changes, isEverything: true, at: now)
    }
    return settle(one, failure)
  }

  /// Settles the earlier decisions about these records now.
  ///
  /// A decision that finds no place, or that has waited too long, and takes away has its effect at once. An earlier decision
  /// must not undo it when the disk answers.
  private mutating func overtake(_ names: [RecordName], at now: Instant) -> [CommitOutcome] {
    func isOvertaken(_ one: Pending) -> Bool { !one.isSettled && one.touches(names) }
    var overtaken: [Pending] = []
    if let one = flight?.pending, isOvertaken(one) {
      flight?.pending?.isSettled = true
      overtaken.append(one)
    }
    overtaken += pending.filter(isOvertaken)
    pending.removeAll(where: isOvertaken)
    return overtaken.flatMap { fail($0, RecordKeeper.overtaken, at: now) }
  }

  /// Settles the decisions that take away and have waited too long for the disk: they have their effect now.
  ///
  /// They keep their place, and are written in their turn. Decisions to take away are in the order of their times, so an
  /// earlier decision about the same records that still waits is one that gives.
  private mutating func settleOverdue(at now: Instant) -> [CommitOutcome] {
    func isOverdue(_ one: Pending) -> Bool { one.overdueAt.map { $0 <= now } ?? false }
    guard log.isOpen, isBusy else { return [] }
    var settled: [CommitOutcome] = []
    if let one = flight?.pending, isOverdue(one) {
      flight?.pending?.isSettled = true
      settled += settle(one, RecordKeeper.late)
    }
    guard pending.contains(where: isOverdue) else { return settled }
    let all = pending
    pending = []
    for var one in all {
      if isOverdue(one) {
        settled += overtake(one.names, at: now)
        schedule.withdraw(one.names)
        settled += settle(one, RecordKeeper.late)
        one.isSettled = true
      }
      pending.append(one)
    }
    return settled
  }

  /// The outcome of a decision; none if the requester has its answer already.
  private func settle(_ one: Pending, _ failure: StorageFault?) -> [CommitOutcome] {
    guard !one.isSettled else { return [] }
    let orders = one.decision.orders(after: failure)
    return [CommitOutcome(orders: orders, requester: one.requester, failure: failure)]
  }
}
