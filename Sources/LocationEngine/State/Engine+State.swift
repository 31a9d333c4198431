import Basics
import Model
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
    // Later on only what takes away counts: what was done meanwhile is newer than what is read.
    var found = services
    let lost = found.adopt(reading)
    if isFirst || !found.isOn { setServices(isOn: found.isOn, at: now, into: &effects) }
    adoptOutstanding(reading, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
    guard let lost else { return }
    effects.append(
      .log(
        .warning,
        "location services: off, because the last word on them is lost; 'binnacle services on' turns "
          + "them on"))
    follow(
      keeper.decide(lost, for: .nobody, at: now, into: &effects), at: now, into: &effects)
  }

  /// Carries out what decisions lead to, and tells who asked for them.
  mutating func follow(
    _ settled: [RecordKeeper.Settled], at now: Instant, into effects: inout [Effect]
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
    case .setServices(let isOn): setServices(isOn: isOn, at: now, into: &effects)
    case .acknowledgeDefaults(let number): defaultsKept(number, into: &effects)
    case .forget(let subject): forget(subject, at: now, into: &effects)
    }
  }

  private mutating func tell(_ settled: RecordKeeper.Settled, into effects: inout [Effect]) {
    let isDone = !settled.orders.isEmpty
    let reason = settled.failure.map { failure in
      isDone
        ? "done for now, but it is not kept: \(failure)" : "not done, it cannot be kept: \(failure)"
    }
    switch settled.asker {
    case .nobody: return
    case .client(let client, let request):
      effects.append(.answer(client, request: request, failure: reason))
    case .app(let number):
      guard let failure = settled.failure else { return }
      defaultsRefused(number, DefaultsRefusal(.notKept, "\(failure)"), into: &effects)
    case .button(let name):
      if let reason { effects.append(.log(.warning, "button \(name): \(reason)")) }
    }
  }

  // MARK: Location services

  /// Somebody wants them on or off.
  mutating func servicesWanted(
    isOn: Bool, by asker: Asker, at now: Instant, into effects: inout [Effect]
  ) {
    let settled = keeper.decide(
      services.decision(isOn: isOn), for: asker, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
  }

  /// A long press of the button `SERVICES` turns them on or off.
  mutating func takePresses(at now: Instant, into effects: inout [Effect]) {
    for press in panel.takePresses() where press.button == "SERVICES" && press.gesture == .long {
      servicesWanted(isOn: !services.isOn, by: .button(press.button), at: now, into: &effects)
    }
  }

  private mutating func setServices(
    isOn: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    guard services.isOn != isOn else { return }
    services.set(isOn: isOn)
    effects.append(.log(.notice, "location services: \(isOn ? "on" : "off")"))
    sessions.servicesSet(isOn: isOn, at: now, into: &effects)
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
    guard sessions.pauseTurns != notedPauseTurns, keeper.condition != .unread else { return }
    notedPauseTurns = sessions.pauseTurns
    let rest = sessions.restToKeep
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
