import BinnacleBasics
import BinnacleModel
import StateLog

/// What the engine keeps between runs, and what follows from what was kept.
extension Engine {
  mutating func stateRead(
    _ reading: StateReading, at now: Instant, into effects: inout [Effect]
  ) {
    for note in reading.notes { effects.append(.log(note.level, "state: \(note.text)")) }
    let isFirst = keeper.condition == .unread
    let settled = keeper.read(reading, at: now, into: &effects)
    if isFirst {
      adoptSpeed()
      adoptAssistance(into: &effects)
      let rest = keeper.records[RecordName(kind: RecordTable.rest.number)]
      notedRest = rest.flatMap { RestRecord(bytes: $0) }
    } else if reading.obstacle == nil {
      defaultsRead(into: &effects)
    }
    adoptLife(reading, into: &effects)
    var lost: Decision<StateOrder>?
    changeServices(at: now, into: &effects) { lost = $0.adopt(reading, isFirst: isFirst) }
    adoptOutstanding(reading, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
    tellLoss(reading, isFirst: isFirst, into: &effects)
    guard let lost else { return }
    follow(
      keeper.decide(lost, for: .nobody, at: now, into: &effects), at: now, into: &effects)
  }

  private func tellLoss(
    _ reading: StateReading, isFirst: Bool, into effects: inout [Effect]
  ) {
    if reading.obstacle == nil,
      reading.withheld.contains(RecordName(kind: RecordTable.locationServices.number))
    {
      effects.append(
        .log(
          .warning,
          "location services: off, because the last word on them is lost; 'binnacle services on' turns "
            + "them on"))
    }
    // What cannot be read is tried again and again, and told once.
    guard let damage = apps.services.damage, isFirst || reading.obstacle == nil else { return }
    effects.append(.log(.error, "state: \(Engine.inWords(damage: damage))"))
  }

  /// Names the lost commits, the consequence and the remedy.
  private static func inWords(damage: String) -> String {
    "\(damage); location services stay off until: sudo binnacle state accept"
  }

  func addDamage(to report: inout Report) {
    guard let damage = apps.services.damage else { return }
    report.add("state.damage", .text(Engine.inWords(damage: damage)))
  }

  /// An operator accepts what is lost.
  mutating func acceptDamage(
    for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) {
    guard apps.services.damage != nil, keeper.readingObstacle == nil else {
      acceptDamage(at: now, into: &effects)
      return tell(
        .init(orders: [.acceptDamage], requester: requester, failure: nil), into: &effects)
    }
    let settled = keeper.decide(apps.services.acceptance, for: requester, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
  }

  private mutating func acceptDamage(at now: Instant, into effects: inout [Effect]) {
    guard let damage = apps.services.damage else { return }
    effects.append(.log(.notice, "state: the loss is accepted: \(damage)"))
    let isReadable = keeper.readingObstacle == nil
    changeServices(at: now, into: &effects) { $0.acceptDamage(isReadable: isReadable) }
  }

  /// Carries out what decisions lead to, and tells who asked for them.
  mutating func follow(
    _ settled: [RecordKeeper.CommitOutcome], at now: Instant, into effects: inout [Effect]
  ) {
    for one in settled {
      for order in one.orders { carryOut(order, at: now, into: &effects) }
      tell(one, into: &effects)
    }
  }

  private mutating func carryOut(
    _ order: StateOrder, at now: Instant, into effects: inout [Effect]
  ) {
    switch order {
    case .setServices(let isOn):
      changeServices(at: now, into: &effects) { $0.set(isOn: isOn) }
    case .acceptDamage: acceptDamage(at: now, into: &effects)
    case .acknowledgeDefaults(let number): defaultsKept(number, into: &effects)
    case .forget(let subject): forget(subject, at: now, into: &effects)
    }
  }

  private mutating func tell(_ settled: RecordKeeper.CommitOutcome, into effects: inout [Effect]) {
    let isDone = !settled.orders.isEmpty
    let reason = settled.failure.map { failure in
      isDone
        ? "done for now, but it is not kept: \(failure)" : "not done, it cannot be kept: \(failure)"
    }
    switch settled.requester {
    case .nobody: return
    case .client(let client, let request):
      effects.append(.client(client, .answer(request: request, failure: reason)))
    case .app(let number):
      guard let failure = settled.failure else { return }
      defaultsRefused(number, DefaultsRefusal(.notKept, "\(failure)"), into: &effects)
    case .button(let name):
      if let reason { effects.append(.log(.warning, "button \(name): \(reason)")) }
    }
  }

  // MARK: Location services

  mutating func setServices(
    isOn: Bool, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) {
    if isOn, let damage = apps.services.damage {
      let reason = StorageFault(.closed, Engine.inWords(damage: damage))
      return tell(.init(orders: [], requester: requester, failure: reason), into: &effects)
    }
    let settled = keeper.decide(
      apps.services.decision(isOn: isOn), for: requester, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
  }

  private mutating func changeServices(
    at now: Instant, into effects: inout [Effect], _ change: (inout ServiceSwitch) -> Void
  ) {
    let before = apps.services.isOn
    change(&apps.services)
    guard apps.services.isOn != before else { return }
    effects.append(.log(.notice, "location services: \(apps.services.isOn ? "on" : "off")"))
    updates.entitlementsChanged(apps, at: now, into: &effects)
    demandChanged(at: now, into: &effects)
  }

  // MARK: Records that follow what the engine knows

  /// Keeps what has changed; asked after every event, so it compares before it does anything.
  mutating func noteRecords(at now: Instant, into effects: inout [Effect]) {
    noteSpeed(at: now, into: &effects)
    noteAssistance(at: now, into: &effects)
    noteLife(at: now, into: &effects)
    noteOutstanding(at: now, into: &effects)
    noteRest(at: now, into: &effects)
  }

  /// What pauses over a power cut is known from this; after a minute at the latest, so that most changes share a commit.
  private mutating func noteRest(at now: Instant, into effects: inout [Effect]) {
    guard updates.pauseTurns != notedPauseTurns, keeper.condition != .unread else { return }
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

  /// Keeps a record, or none, and follows what comes of it.
  mutating func keep(
    _ kind: RecordKind, key: [UInt8] = [], value: [UInt8]?, at now: Instant,
    into effects: inout [Effect]
  ) {
    follow(
      keeper.keep(kind, key: key, value: value, at: now, into: &effects), at: now, into: &effects)
  }

  /// The profile's word counts more than what was found out last time.
  private mutating func adoptSpeed() {
    guard configuration.lastSpeed == nil,
      let value = keeper.records[RecordName(kind: RecordTable.receiverSpeed.number)],
      let record = ReceiverSpeedRecord(value)
    else { return }
    receiver.recall(speed: record.speed)
    notedSpeed = receiver.memory.lastSpeed
  }
}
