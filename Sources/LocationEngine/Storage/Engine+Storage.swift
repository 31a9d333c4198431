import BinnacleBasics
import BinnacleModel
import StateLog

/// The exchange of records and decisions between the engine and the storage.
extension Engine {
  mutating func stateRead(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) {
    for note in reading.notes { effects.append(.log(note.level, "state: \(note.text)")) }
    let isFirst = storage.state.log.condition == .unread
    let settled = storage.state.read(reading, at: now, into: &effects)
    if isFirst {
      adoptRecords(at: now, into: &effects)
    } else if reading.obstacle == nil {
      defaultsRead(into: &effects)
    }
    adoptLife(reading, into: &effects)
    var lost: Decision<StateOrder>?
    apps.adoptGrants(reading, isFirst: isFirst, at: now, into: &effects)
    uses.adopt(reading, isFirst: isFirst)
    if isFirst { recallLives(at: now) }
    changeServices(at: now, into: &effects) { lost = $0.adopt(reading, isFirst: isFirst) }
    adoptOutstanding(reading, at: now, into: &effects)
    adoptWaiting(reading, isFirst: isFirst, at: now, into: &effects)
    if isFirst {
      adoptPendingCloses(at: now)
      adoptConsoleUses()
    } else if reading.obstacle == nil {
      adoptLateCloses()
    }
    adoptTries(at: now)
    // A later reading may bring answers, and losses, that the apps connected meanwhile do not know of.
    if !isFirst { rightsChanged(at: now, into: &effects) }
    follow(settled, at: now, into: &effects)
    reportLoss(reading, isFirst: isFirst, into: &effects)
    guard let lost else { return }
    follow(
      storage.state.decide(lost, for: .engine, at: now, into: &effects), at: now, into: &effects)
  }

  /// Carries out the orders of decisions and answers their requesters.
  mutating func follow(
    _ settled: [RecordKeeper.CommitOutcome], at now: Instant, into effects: inout [Effect]
  ) {
    for one in settled {
      for order in one.orders { carryOut(order, one.failure, at: now, into: &effects) }
      reportCommit(one, into: &effects)
      if case .console(let client, let request) = one.requester {
        tryNoted(of: client, request, failure: one.failure, at: now, into: &effects)
      }
    }
  }

  private mutating func carryOut(
    _ order: StateOrder, _ failure: StorageFault?, at now: Instant, into effects: inout [Effect]
  ) {
    switch order {
    case .setServices(let isOn):
      changeServices(at: now, into: &effects) { $0.set(isOn: isOn) }
    case .acceptDamage: acceptDamage(at: now, into: &effects)
    case .acknowledgeDefaults(let number): defaultsKept(number, into: &effects)
    case .setGrant(let app, let grant): setGrant(grant, for: app, at: now, into: &effects)
    case .answerClose(let app): answerClose(of: app, failure, into: &effects)
    case .forget(let subject): forget(subject, at: now, into: &effects)
    }
  }

  mutating func reportCommit(_ settled: RecordKeeper.CommitOutcome, into effects: inout [Effect]) {
    let isDone = !settled.orders.isEmpty
    let reason = settled.failure.map { failure in
      isDone ? failure.inWordsDone : "not done, it cannot be kept: \(failure)"
    }
    switch settled.requester {
    case .engine, .console: return
    case .client(let client, let request):
      effects.append(.client(client, .answer(request: request, failure: reason)))
    case .app(let number):
      guard let failure = settled.failure else { return }
      defaultsRefused(number, DefaultsRefusal(.notKept, "\(failure)"), into: &effects)
    case .button(let name):
      if let reason { effects.append(.log(.warning, "button \(name): \(reason)")) }
    }
  }

  // MARK: Records of the engine's machines

  /// Keeps records that have changed; called after every event, so each step compares before it does anything.
  mutating func noteRecords(at now: Instant, into effects: inout [Effect]) {
    noteSpeed(at: now, into: &effects)
    noteAssistance(at: now, into: &effects)
    noteLife(at: now, into: &effects)
    noteOutstanding(at: now, into: &effects)
    noteSessions(at: now, into: &effects)
    noteWaiting(at: now, into: &effects)
    noteLastApp(at: now, into: &effects)
    noteAway(at: now, into: &effects)
    noteConsoleUses(at: now, into: &effects)
    noteRest(at: now, into: &effects)
    // The close of an app is removed last. A daemon that ends before leaves the close on the disk.
    // Without the close, the next daemon would serve or launch the app.
    noteEndedCloses(at: now, into: &effects)
  }

  /// Keeps the rest, so that pauses outlast a power cut.
  private mutating func noteRest(at now: Instant, into effects: inout [Effect]) {
    guard updates.pauseTurns != notedPauseTurns, storage.state.log.condition != .unread else {
      return
    }
    notedPauseTurns = updates.pauseTurns
    let rest = restToKeep
    guard rest != notedRest else { return }
    notedRest = rest
    keep(RecordTable.rest, value: rest?.bytes, at: now, into: &effects)
  }

  private mutating func noteSpeed(at now: Instant, into effects: inout [Effect]) {
    guard receiver.memory.lastSpeed != notedSpeed else { return }
    notedSpeed = receiver.memory.lastSpeed
    guard case .baud(let speed) = notedSpeed else { return }
    keep(
      RecordTable.receiverSpeed, value: ReceiverSpeedRecord(speed: speed).value, at: now,
      into: &effects)
  }

  /// Forgets erased records in memory, so that they are neither used nor written again.
  mutating func forget(_ subject: EraseSubject, at now: Instant, into effects: inout [Effect]) {
    let isAll = subject == .all
    effects.append(.log(.notice, "state: erased: \(subject.inWords)"))
    if isAll || subject == .sequences {
      apps.forgetOutstanding()
      apps.foreground.forgetLast()
      (notedLastApp, notedAway) = (nil, AwayProcesses())
      apps.recalled(AwayProcesses(), at: now)
      apps.dropLapsedUpdates()
      updates.forgetOutstanding()
      rightsChanged(at: now, into: &effects)
    }
    // Connected apps get the defaults that are left.
    if isAll || subject.number == EraseSubject.defaults(app: nil).number {
      defaultsRead(into: &effects)
    }
    if isAll || subject == .fix {
      receiver.forgetPlace()
      notedPlace = nil
      notedRest = nil
      updates.spot = nil
    }
    if isAll || subject == .database { receiver.forgetDatabases() }
    if isAll || subject == .counters { life.erase(countsSinceStart, at: now) }
    if isAll {
      notedReceiver = nil
      apps.forgetGrants()
      uses.epochs.erase()
      consoleUses.erase()
      rightsChanged(at: now, into: &effects)
    }
  }

  /// Keeps a record, or removes it without a value, and carries out the outcome.
  mutating func keep(
    _ kind: RecordKind, key: [UInt8] = [], value: [UInt8]?, at now: Instant,
    into effects: inout [Effect]
  ) {
    follow(
      storage.state.keep(kind, key: key, value: value, at: now, into: &effects), at: now,
      into: &effects)
  }

  /// Takes over the records of the last run, when they are read for the first time.
  private mutating func adoptRecords(at now: Instant, into effects: inout [Effect]) {
    adoptSpeed()
    adoptAssistance(into: &effects)
    adoptRest()
    adoptLastApp()
    adoptAway(at: now, into: &effects)
  }

  private mutating func adoptRest() {
    let value = storage.state.value(of: RecordTable.rest)
    notedRest = value.flatMap { RestRecord(bytes: $0) }
  }

  /// A speed in the profile takes precedence over the stored speed.
  private mutating func adoptSpeed() {
    guard configuration.lastSpeed == nil,
      let value = storage.state.value(of: RecordTable.receiverSpeed),
      let record = ReceiverSpeedRecord(value)
    else { return }
    receiver.recall(speed: record.speed)
    notedSpeed = receiver.memory.lastSpeed
  }
}
