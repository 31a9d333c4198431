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
/// changes wait.
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
    /// Whether no other change goes along.
    var isAlone = false
    /// Older changes of the same names that waited; they are tried again when the decision fails.
    var older: [Change] = []
    /// Whether the requester is answered, and the orders are carried out or refused.
    var isSettled = false
  }

  fileprivate struct Flight: Equatable, Codable, Sendable {
    var number: UInt32
    var changes: [Change]
    /// Changes that go along.
    var companions: [Change]
    var pending: Pending?
  }

  private(set) var log = LogMachine(name: "state")
  /// The acknowledged records.
  private(set) var records = RecordSet()
  private(set) var schedule = CommitSchedule(geometry: .ofFile)
  private(set) var pending: [Pending] = []
  private(set) var writes = WriteStatistics()
  private var flight: Flight?
  /// When an empty commit tests whether the disk works again.
  private var probeAt: Instant?
  /// The reason why the mark of the log cannot be written; nil if it can be written.
  private(set) var markFault: String?

  var isStopping: Bool { log.isStopping }

  /// Why the records cannot be read; nil if they can be read.
  var readingObstacle: String? { log.obstacle }

  /// The acknowledged value of a type that has one record; nil when there is none.
  func value(of kind: RecordKind) -> [UInt8]? { records[RecordName(kind: kind.number)] }

  /// Names of stored and pending records.
  var names: [RecordName] {
    let changes =
      pending.flatMap { $0.decision.changes + $0.older }
      + (flight.map { $0.changes + $0.companions } ?? [])
    var seen: Set<RecordName> = []
    let all = records.entries.map(\.name) + schedule.names + changes.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  /// Whether nothing is under way and nothing waits that could be written.
  var isSettled: Bool {
    guard !isBusy else { return false }
    return !log.isOpen || (pending.isEmpty && (schedule.isEmpty || log.fault != nil))
  }

  /// Whether a commit is under way.
  ///
  /// Compares by pattern: a comparison with nil copies the whole commit.
  var isBusy: Bool { if case .some = flight { true } else { false } }

  /// Whether a decision waits or is under way.
  var isDeciding: Bool { !pending.isEmpty || flight?.pending != nil }

  private var probeDue: Instant? { log.fault != nil && !isStopping ? probeAt : nil }

  var nextDeadline: Instant? {
    guard log.isOpen else { return log.reopensAt }
    return isBusy ? nil : earlier(schedule.nextDeadline, probeDue)
  }

  // MARK: Orders

  /// Stores a record at the time of its commit class; an equal value causes no write.
  mutating func keep(
    _ kind: RecordKind, key: [UInt8] = [], value: [UInt8]?, at now: Instant,
    into effects: inout [Effect]
  ) -> [CommitOutcome] {
    do throws(RecordRefusal) {
      let change = try kind.change(key: key, to: value)
      let isUnderWay = flight.map { $0.touches(change.name) } ?? false
      if !isUnderWay, records.isUnchanged(by: change) {
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
    let one = Pending(decision: decision, requester: requester)
    switch log.condition {
    case .closed(let reason, _), .opening(let reason):
      return [fail(one, .init(.closed, reason), at: now)]
    case .unread, .open:
      guard pending.count < StorageLimits.decisionsWaitingMax else {
        let overtaken =
          decision.direction == .takesAway ? overtake(decision.changes.map(\.name), at: now) : []
        return overtaken + [fail(one, RecordKeeper.busy, at: now)]
      }
      pending.append(one)
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
      return all.map { fail($0, .init(.closed, obstacle.text), at: now) }
    }
    log.opened(into: &effects)
    records = reading.records
    schedule.geometry = reading.geometry
    probeAt = nil
    return pump(at: now, into: &effects)
  }

  mutating func committed(
    _ number: UInt32, _ receipt: CommitReceipt, at now: Instant, into effects: inout [Effect]
  ) -> [CommitOutcome] {
    guard let flight, flight.number == number else { return [] }
    self.flight = nil
    for change in flight.changes + flight.companions { records.apply(change) }
    log.written(receipt)
    writes.add(receipt, of: flight.changes + flight.companions, at: now)
    log.committed(isCounted: receipt.sequence != nil, into: &effects)
    probeAt = nil
    let settled = flight.pending.flatMap { $0.isSettled ? nil : settle($0, nil) }
    return (settled.map { [$0] } ?? []) + pump(at: now, into: &effects)
  }

  mutating func failed(
    _ number: UInt32, _ failure: CommitFailure, at now: Instant, into effects: inout [Effect]
  ) -> [CommitOutcome] {
    guard let flight, flight.number == number else { return [] }
    self.flight = nil
    log.failed(failure, into: &effects)
    probeAt = if case .fault = failure { now + StorageLimits.retryDelay } else { nil }
    var settled: [CommitOutcome] = []
    if let one = flight.pending {
      schedule.takeBack(flight.companions, isEverything: true, at: now)
      if one.isSettled {
        // A later decision has taken its place.
      } else if case .full = failure, !flight.companions.isEmpty {
        // The companions may be the changes that exceed the room.
        var again = one
        again.isAlone = true
        pending.insert(again, at: 0)
      } else {
        settled = [fail(one, .init(.notWritten, failure.description), at: now)]
      }
    } else if case .tooLarge = failure {
      effects.append(.log(.error, "state: changes are dropped: \(failure)"))
    } else {
      schedule.takeBack(flight.changes, isEverything: true, at: now)
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
    return pump(at: now, into: &effects)
  }

  // MARK: Helpers

  /// Gives the next commit when none is under way.
  private mutating func pump(at now: Instant, into effects: inout [Effect]) -> [CommitOutcome] {
    var settled: [CommitOutcome] = []
    guard log.isOpen, flight == nil else { return settled }
    while flight == nil, !pending.isEmpty {
      var one = pending.removeFirst()
      one.older += schedule.withdraw(one.decision.changes.map(\.name))
      // After a failed commit the disk may have its changes, so a decision that equals the record is written, too.
      let isDoubtful = log.fault != nil
      let wanted = one.decision.changes.filter { isDoubtful || !records.isUnchanged(by: $0) }
      if let refusal = refusal(of: wanted) {
        settled.append(fail(one, .init(.refused, refusal.description), at: now))
      } else if wanted.isEmpty {
        settled.append(settle(one, nil))
      } else {
        let companions = one.isAlone ? [] : schedule.companions(of: wanted)
        send(wanted, companions, one, into: &effects)
      }
    }
    while flight == nil {
      if schedule.isEmpty { log.emptied() }
      let taken = schedule.take(at: now, isStopping: log.isUrgent)
      if taken.isEmpty { break }
      let wanted = taken.filter { !records.isUnchanged(by: $0) }
      if !wanted.isEmpty { send(wanted, [], nil, into: &effects) }
    }
    if flight == nil, let due = probeDue, due <= now {
      // A commit without changes: the log rewrites its records if its end is doubtful.
      send([], [], nil, into: &effects)
    }
    return settled
  }

  private mutating func send(
    _ changes: [Change], _ companions: [Change], _ pending: Pending?, into effects: inout [Effect]
  ) {
    let number = log.nextNumber()
    flight = Flight(number: number, changes: changes, companions: companions, pending: pending)
    effects.append(.storage(.commit(number: number, changes + companions)))
  }

  private mutating func fail(
    _ one: Pending, _ failure: StorageFault, at now: Instant
  ) -> CommitOutcome {
    switch one.decision.direction {
    case .gives: schedule.takeBack(one.older, isEverything: true, at: now)
    case .takesAway:
      // The decision holds now. Its changes are retried until the decision also holds after the next start.
      schedule.withdraw(one.decision.changes.map(\.name))
      schedule.takeBack(one.decision.changes, isEverything: true, at: now)
    }
    return settle(one, failure)
  }

  /// Settles the earlier decisions about these records now.
  ///
  /// A decision that finds no place and takes away has its effect at once. An earlier decision must not undo it when the disk
  /// answers.
  private mutating func overtake(_ names: [RecordName], at now: Instant) -> [CommitOutcome] {
    func isOvertaken(_ one: Pending) -> Bool {
      !one.isSettled && one.decision.changes.contains { names.contains($0.name) }
    }
    var overtaken: [Pending] = []
    if let one = flight?.pending, isOvertaken(one) {
      flight?.pending?.isSettled = true
      overtaken.append(one)
    }
    overtaken += pending.filter(isOvertaken)
    pending.removeAll(where: isOvertaken)
    return overtaken.map { fail($0, RecordKeeper.overtaken, at: now) }
  }

  private func settle(_ one: Pending, _ failure: StorageFault?) -> CommitOutcome {
    CommitOutcome(
      orders: one.decision.orders(after: failure), requester: one.requester, failure: failure)
  }

  private static var busy: StorageFault {
    .init(.busy, "the disk is slow and too many changes wait for it; try again")
  }

  private static var overtaken: StorageFault {
    .init(.busy, "the disk is slow, and a later decision has taken its place")
  }

  /// Why these changes are refused: the records of a type would exceed their limit; nil if they do not.
  private func refusal(of changes: [Change]) -> RecordRefusal? {
    for change in changes {
      guard let kind = RecordTable.kind(change.name.kind), change.action != .remove,
        records[change.name] == nil
      else { continue }
      let added = changes.count {
        $0.name.kind == kind.number && $0.action != .remove && records[$0.name] == nil
      }
      if records.count(ofKind: kind.number) + added > kind.countMax {
        return .tooMany(kind: kind.name, countMax: kind.countMax)
      }
    }
    return nil
  }
}

extension RecordKeeper.Flight {
  fileprivate func touches(_ name: RecordName) -> Bool {
    (changes + companions).contains { $0.name == name }
  }
}
