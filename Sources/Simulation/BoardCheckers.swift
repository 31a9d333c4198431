public import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The rules that hold in every run with any faults; the checkers see every event and every order.
public struct BoardCheckers: Sendable {
  /// The broken rules, each with its instant.
  public private(set) var violations: [String] = []
  /// The number of all delivered fixes.
  public private(set) var fixCount = 0
  /// The bytes of the line, which separate errors of the engine from forged frames that no reader can detect.
  var memory = LineMemory()
  private let world: World
  /// Whether the line neither damages nor loses bytes.
  private let isLineClean: Bool
  private var sequences: SequenceLedger
  private var rests: RestLedger
  private var services = ServiceLedger()
  private var outstanding = OutstandingLedger()
  private var tracks = TrackLedger()
  private var orders = OrderLedger()
  private var defaults = DefaultsLedger()
  private var instant = Instant.zero
  private var failedAt = Instant.zero
  private var rates = RateLedger()
  private var backlog = BacklogLedger()
  /// The rights of the apps of a crowd; nil on a board without a crowd.
  ///
  /// The ledgers of sequences and of outstanding updates know only apps whose rights do not change.
  var rights: RightsLedger?

  init(
    world: World, isLineClean: Bool, dwells: DwellSettings = DwellSettings(),
    rests plan: RestPlan = .none, felt: FeltMotion? = nil
  ) {
    rests = RestLedger(world, plan, felt: felt)
    sequences = SequenceLedger(dwells, isLineClean: isLineClean)
    self.world = world
    self.isLineClean = isLineClean
  }

  /// The instant at which the first client's first sequence got its last fix.
  public var steadyFixAt: Instant? { sequences.steadyFixAt }
  /// Whether the first client's first sequence pauses because the board rests.
  public var isSteadyPaused: Bool { sequences.isSteadyPaused }

  mutating func delivered(_ event: Event, at now: Instant) {
    if now < instant { fail("time went backwards") }
    instant = now
    if !isOfCrowd(event) { sequences.delivered(event, at: now) }
    services.delivered(event)
    defaults.delivered(event)
    if rights == nil { outstanding.delivered(event, at: now) }
    tracks.delivered(event)
    servicesCount(at: now)
    check(rights?.delivered(event, at: now))
    orders.delivered(event, at: now)
    if let text = rates.delivered(event, at: now) { fail(text) }
  }

  private func isOfCrowd(_ event: Event) -> Bool {
    guard rights != nil, case .client(let client, _) = event else { return false }
    return AppCrowd.isMember(client)
  }

  /// Location services are on or off from now on, by the acknowledgements of the disk.
  private mutating func servicesCount(at now: Instant) {
    sequences.servicesSet(isOn: services.isOn, at: now)
    rights?.servicesSet(services.isOn, at: now)
  }

  mutating func ordered(
    _ effects: [Effect], after event: Event, isOpen: Bool, at now: Instant
  ) {
    defer { check(rights?.ordered(effects, at: now)) }
    // Every sequence of every client may get one update, together with a few orders.
    if effects.count > sequences.openCount + 64 {
      fail("\(effects.count) effects of one event: \(event)")
    }
    for effect in effects {
      switch effect {
      case .client(let client, .deliver(_, let update)) where isOfCrowd(client):
        check(services.delivered(update))
      case .client(let client, .deliver(let ids, let update)):
        delivered(update, to: client, ids, at: now)
      case .client(let client, .endUpdates) where isOfCrowd(client): break
      case .client(let client, .endUpdates(let id, _)): check(sequences.ended(client, id))
      case .storage(.commit(let number, let changes)):
        services.ordered(number, changes)
        if rights == nil { check(outstanding.ordered(number, changes)) }
        defaults.ordered(number, changes)
      case .client(let client, .defaults(_, let entries)): check(defaults.read(entries, by: client))
      case .client(let client, .defaultsChanged(let entries)):
        check(defaults.changed(entries, for: client))
      case .client(let client, .defaultsSettled(let request, let refusal)):
        check(defaults.settled(client, request: request, isKept: refusal == nil))
      case .client(let client, .answer(let request, _))
      where isOfCrowd(client) && request < AppCrowd.servicesRequests:
        break
      case .client(_, .answer(let request, let failure)):
        check(services.answered(request, failure: failure))
        servicesCount(at: now)
      case .track(let order): check(tracks.ordered(order))
      case .client(let client, .report(_, let report)):
        check(sequences.reported(to: client))
        if rights == nil { check(outstanding.reported(report)) }
      case .client(let client, .reportWrites(_, _)): check(sequences.reported(to: client))
      case .client(_, .skyReport), .client(_, .skyRefusal), .client(_, .sky), .client(_, .rows),
        .client(_, .day),
        .client(_, .consentRefusal), .client(_, .sessionDiagnostic), .client(_, .authorization),
        .client(_, .button), .client(_, .phase),
        .client(_, .output), .client(_, .checkPIN), .client(_, .describeLock),
        .client(_, .unlocked), .client(_, .locked):
        break
      case .receiver(.write(let bytes)):
        if !isOpen { fail("wrote to a device that is not open") }
        check(orders.wrote(bytes, at: now))
        check(sleepOrder(bytes))
      case .receiver(.setSpeed):
        if !isOpen { fail("set the speed of a device that is not open") }
        orders.forget()
      case .receiver(.open):
        if isOpen { fail("opened a device that is open") }
        orders.forget()
        check(rates.opened(at: now))
      case .receiver(.close): orders.forget()
      case .log(let level, _):
        if level <= .notice { orders.forget() }
        check(rates.logged(at: now))
      case .line(_, .open), .line(_, .set), .line(_, .read), .storage(.open), .watchAccelerometer,
        .launcher,
        .receiver(.attend):
        break
      }
    }
    check(sequences.overdue(at: now))
    check(orders.overdue(at: now))
    if rights == nil { check(outstanding.overdue(at: now)) }
  }

  private func isOfCrowd(_ client: ClientID) -> Bool {
    rights != nil && AppCrowd.isMember(client)
  }

  /// Notes that time has passed, with or without an event.
  mutating func timePassed(to now: Instant, _ receiver: SimulatedReceiver) {
    guard violations.isEmpty else { return }
    instant = max(instant, now)
    backlog.noticed(receiver.transmitter.pendingTime, at: now)
    check(rights?.overdue(at: now))
    checkUnlessForged(
      rests.overdue(
        sequences.pausers, isReceiverNeeded: sequences.needer != nil,
        isReceiverAsleep: receiver.isAsleep, at: now))
  }

  mutating func receiverRestarted(at now: Instant) {
    rests.receiverRestarted(at: now)
    sequences.receiverRestarted(at: now)
  }

  /// Continues a run that a power cut has ended.
  mutating func startsAfter(_ before: BoardCheckers, found records: RecordSet) {
    sequences.startsAfter(before.sequences, found: records)
  }

  /// Notes that the power failed and returned, or that the daemon was restarted, and that the log was read.
  mutating func powerCut(found records: RecordSet, tracks found: RecordSet, at now: Instant) {
    instant = now
    backlog.daemonStarted(at: now)
    check(tracks.powerCut(found: found))
    check(services.powerCut(found: records))
    check(defaults.powerCut(found: records))
    if rights == nil { check(outstanding.powerCut(found: records)) }
    rights?.daemonEnded()
    // Location services come first: a switch-off that the log does not contain has ended no pause.
    servicesCount(at: now)
    sequences.powerCut(found: records)
    orders.forget()
  }

  /// Notes that a rule is broken.
  ///
  /// The run stops at the first complaint. Complaints of later instants are consequences of that complaint and are left
  /// out.
  mutating func fail(_ text: String) {
    guard violations.isEmpty || instant == failedAt else { return }
    failedAt = instant
    violations.append("\(instant.nanoseconds / 1_000_000) ms: \(text)")
  }

  private mutating func check(_ text: String?) {
    if let text { fail(text) }
  }

  private mutating func checkUnlessForged(_ text: String?) {
    if let text, !memory.hasForgedFrame { fail(text) }
  }

  /// Checks UBX-RXM-PMREQ: no client needs the receiver, and the request has a duration.
  private func sleepOrder(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 16, bytes[2] == 0x02, bytes[3] == 0x41 else { return nil }
    if let needer = sequences.needer { return "sent to sleep while \(needer) gets positions" }
    let place = bytes[4] == 16 ? 10 : 6
    return bytes[place..<place + 4].allSatisfy { $0 == 0 } ? "sent to sleep without an end" : nil
  }

  /// Checks a fix: the position within its claimed accuracy, the age, and the speed of the body.
  private func truth(of fix: Fix, isPause: Bool, at now: Instant) -> String? {
    guard fix.horizontalAccuracy > 0 else { return "a fix without a position: \(fix)" }
    let isSentence = fix.speedAccuracy < 0
    let measured = world.instant(of: fix.time)
    let age = (now - measured).seconds
    // A pause begins with the last fix, which still counts for five seconds.
    guard
      (0...ageMax(isSentence: isSentence, at: now) + (isPause ? 5 : 0)).contains(age)
        || isPause && sequences.isToldAgain(fix)
    else {
      return "a fix \(age) s old: \(fix)"
    }
    let motion = world.motion(at: measured)
    let distance = Ellipsoid.distance(
      from: (motion.latitude, motion.longitude), to: (fix.latitude, fix.longitude))
    // The navigator errs by at most 1.2 times hAcc to the north and to the east. Together that is 1.59 times the
    // claimed radius. Sentences state a dilution instead, which follows the accuracy more loosely.
    guard distance <= (isSentence ? 2 : 1.6) * fix.horizontalAccuracy + 0.05 else {
      return "a fix \(distance) m from the truth: \(fix)"
    }
    // Six times the navigator's noise, doubled. VTG carries no time: where RMC and GGA beside VTG are lost, VTG counts
    // to the epoch before. In a second the body of an errand brakes by 2 m/s, and a car of the other
    // journeys by 11/6 m/s.
    if fix.speed >= 0, (fix.speed - motion.speed).magnitude > (isSentence ? 2.15 : 0.15) {
      return "a speed of \(fix.speed) m/s instead of \(motion.speed)"
    }
    return nil
  }

  private mutating func delivered(
    _ update: Update, to client: ClientID, _ ids: [SequenceID], at now: Instant
  ) {
    if ids.isEmpty { fail("an update without a sequence") }
    check(services.delivered(update))
    let measuredAt = update.fix.map { world.instant(of: $0.time) } ?? now
    let isShaken = sequences.awaitsReturn && rests.isShaken(at: now)
    for id in ids {
      checkUnlessForged(
        sequences.delivered(
          update, measuredAt: measuredAt, isShaken: isShaken, to: client, id, at: now))
    }
    if let fix = update.fix {
      fixCount += ids.count
      rests.fixDelivered(accuracyMeters: fix.horizontalAccuracy, measuredAt: measuredAt)
      let isPause = update.flags.contains(.stationary)
      checkUnlessForged(truth(of: fix, isPause: isPause, at: now))
      if isPause {
        for id in ids { checkUnlessForged(pause(of: client, id, at: now)) }
      }
    }
  }

  /// Checks that a sequence pauses only when the body has rested for the sequence's dwell.
  private func pause(of client: ClientID, _ id: SequenceID, at now: Instant) -> String? {
    sequences.pause(of: client, id).flatMap {
      rests.began(dwell: $0.dwell, isReturn: $0.isReturn, at: now)
    }
  }

  /// The greatest age of a delivered fix, in seconds.
  ///
  /// The age covers a second of sentences at 9600 baud, or a frame that a silence cut off and that the reader waits
  /// for. The reader waits for a damaged length as long as the longest frame takes, 2.5 s at 9600 baud. The age of
  /// frames that the damaged frame has hidden counts from their arrival, so no frame waits longer. A client that opens
  /// a sequence gets a fix that arrived up to 2 s earlier. The first epoch of sentences in a stream ends with the next one, up
  /// to 2 s after its own last sentence (`UpdateTable.freshnessMax`), which comes up to a second after the measurement.
  private func ageMax(isSentence: Bool, at now: Instant) -> Double {
    (isLineClean ? isSentence ? 3 : 2.5 : 4.5) + (sequences.isOpening ? 2 : 0)
      + backlog.excess(at: now).seconds
  }
}

/// Limits the frequency of events, so that no component spins.
private struct RateLedger: Sendable {
  private var second = Int64(-1)
  private var deadlines = 0
  private var openings = 0
  private var lines = 0

  private mutating func enter(_ now: Instant) {
    guard now.nanoseconds / 1_000_000_000 != second else { return }
    second = now.nanoseconds / 1_000_000_000
    deadlines = 0
    openings = 0
    lines = 0
  }

  mutating func delivered(_ event: Event, at now: Instant) -> String? {
    enter(now)
    guard event == .deadlineReached else { return nil }
    deadlines += 1
    return deadlines > 200 ? "more than 200 deadlines in a second" : nil
  }

  mutating func opened(at now: Instant) -> String? {
    enter(now)
    openings += 1
    return openings > 5 ? "more than 5 openings in a second" : nil
  }

  mutating func logged(at now: Instant) -> String? {
    enter(now)
    lines += 1
    return lines > 100 ? "more than 100 log lines in a second" : nil
  }
}
