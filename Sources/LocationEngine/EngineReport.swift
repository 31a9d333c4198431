import BinnacleBasics
import BinnacleModel
import UBX

extension Engine {
  /// The report for `status`: the state of all parts and the counts of discarded data, never a position.
  func report(at now: Instant) -> Report {
    var report = Report()
    report.add(.engineUptime, (now - startInstant).seconds)
    addReceiver(to: &report, at: now)
    addAssistance(to: &report, at: now)
    addPower(to: &report, at: now)
    accelerometer.add(to: &report, at: now)
    rest.add(to: &report, at: now)
    addFixes(to: &report, at: now)
    report.add(.servicesOn, apps.services.isOn)
    storage.state.add(to: &report)
    addDamage(to: &report)
    addTrack(to: &report)
    addLife(to: &report, at: now)
    defaults.add(to: &report, storage.state.records)
    addDrops(to: &report)
    addSecurity(to: &report, at: now)
    panel.add(to: &report, at: now)
    addClients(to: &report, at: now)
    addActivities(to: &report)
    addOutstanding(to: &report, at: now)
    return report
  }

  private func addReceiver(to report: inout Report, at now: Instant) {
    report.add(.receiverState, receiver.stateInWords)
    if let link = receiver.link {
      report.add(.receiverPort, link.kind.inWords)
      if !link.kind.isBus { report.add(.receiverSpeed, Int64(link.speed)) }
      if link.hasFrames {
        report.add(.receiverLastFrameAge, (now - link.lastFrame).seconds)
      }
    }
    if let silence = receiver.silence(at: now) {
      report.add(.receiverSilence, silence.seconds)
    }
    if let instant = receiver.nextQuestion {
      report.add(.receiverNextQuestion, max(.zero, instant - now).seconds)
    }
    if let identity = receiver.identity { add(identity, to: &report) }
    if let source = receiver.positionSource {
      report.add(.receiverPositionSource, source.inWords)
    }
    if let setup = receiver.connection?.value.setup { add(setup, to: &report) }
    if let percent = receiver.link?.quality.damagedPercent {
      report.add(.receiverDamage, Int64(percent))
    }
    if let trouble = receiver.trouble(at: now) {
      report.add(.receiverTrouble, trouble.text)
      report.add(.receiverAdvice, trouble.advice)
    }
    let counters = receiver.memory.counters
    report.add(.receiverOpenings, Int64(counters.openings))
    report.add(.receiverSearches, Int64(counters.searches))
    report.add(.receiverResets, Int64(counters.resets))
    report.add(.receiverPositionLosses, Int64(counters.positionLosses))
    report.add(.receiverFrames, Int64(counters.frames))
    report.add(.receiverEpochs, Int64(counters.solutions))
    report.add(.receiverEpochsDropped, Int64(counters.solutionsDropped))
  }

  private func add(_ identity: ReceiverIdentity, to report: inout Report) {
    report.add(.receiverGeneration, identity.generationInWords)
    if !identity.isPresumed { report.add(.receiverFirmware, identity.firmware) }
    if let module = identity.module { report.add(.receiverModule, module) }
    if let version = identity.protocolVersion {
      report.add(.receiverProtocol, version.description)
    }
  }

  private func add(_ setup: SetupMachine, to report: inout Report) {
    // The verified configuration is reported, not the ordered one.
    if let rateHz = setup.proven.rateHz {
      report.add(.receiverRate, Int64(rateHz))
    }
    if let model = setup.proven.model { report.add(.receiverModel, model.name) }
    report.add(.receiverIsConfigured, setup.isIdle && setup.completion != .never && setup.isProven)
    add(.receiverUnsupported, setup.limits.unsupported, to: &report)
    add(.receiverDifferences, setup.differences, to: &report)
    report.add(.receiverUnanswered, Int64(setup.unansweredCount))
  }

  /// Adds a list; an empty list is omitted.
  private func add(_ key: ReportKey<String>, _ list: [String], to report: inout Report) {
    if !list.isEmpty { report.add(key, list.joined(separator: ", ")) }
  }

  private func addFixes(to report: inout Report, at now: Instant) {
    report.add(.fixesAccepted, Int64(judge.acceptedCount))
    if let first = judge.firstAcceptedAt {
      report.add(.fixFirstAfter, (first - startInstant).seconds)
    }
    switch judge.dateOrigin {
    case .receiver: break
    case .clock:
      report.add(.fixesDateSource, "the board's clock: the receiver sends no date")
    case .unknown:
      report.add(
        .fixesDateSource,
        "unknown: the receiver sends no date, and the board's clock is not known to be right")
    }
    guard let last = updates.lastFix else { return }
    report.add(.fixAge, (now - last.instant).seconds)
    report.add(.fixHorizontalAccuracy, last.fix.horizontalAccuracy)
    if last.fix.verticalAccuracy > 0 {
      report.add(.fixVerticalAccuracy, last.fix.verticalAccuracy)
    }
    report.add(.fixTime, last.fix.time.rfc3339(fractionDigits: 3))
    report.add(.fixAccuracyOrigin, judge.accuracyOrigin.inWords)
    if let sentence = judge.sentence {
      report.add(.fixPositionSource, sentence.name)
    }
  }

  private func addDrops(to report: inout Report) {
    for cause in Rejection.allCases {
      report.add(.rejectedSolutions(cause.name), Int64(judge.rejections[cause]))
    }
    let damage = receiver.decoder.damage
    report.add(.damageBytes, Int64(damage.discardedBytes))
    for cause in Damage.Cause.allCases {
      report.add(.damageOccurrences(cause.reportName), Int64(damage[cause].occurrences))
    }
    report.add(.sessionsPaused, Int64(updates.pausedCount))
    report.add(.sessionsIgnoredRequests, Int64(apps.ignoredCount + updates.ignoredCount))
  }

  private func addSecurity(to report: inout Report, at now: Instant) {
    add("spoofing", receiver.security.spoofing, to: &report, at: now)
    add("jamming", receiver.security.jamming, to: &report, at: now)
  }

  private func add(
    _ name: String, _ latch: SecurityWatch.Latch, to report: inout Report, at now: Instant
  ) {
    report.add(.threatIndicated(name), latch.beginnings > 0)
    report.add(.threatPresent(name), latch.isPresent)
    report.add(.threatBeginnings(name), Int64(latch.beginnings))
    guard case .at(let instant) = latch.last else { return }
    report.add(.threatAge(name), (now - instant).seconds)
    if case .read(let time, let read) = wallClock {
      report.add(.threatTime(name), (time + (instant - read)).rfc3339(fractionDigits: 0))
    }
  }

  private func addClients(to report: inout Report, at now: Instant) {
    var shownCount = 0
    report.add(.clientsCount, Int64(apps.clients.count))
    let demand = demand
    report.add(.sessionsRate, Int64(demand.rateHz))
    report.add(.sessionsModel, demand.model.name)
    for client in apps.clients.prefix(Engine.clientsShownMax) {
      let name = "\(client.id.number)"
      let entitlement = apps.entitlement(of: client.peer)
      report.add(.clientApp(name), "\(client.peer.app)")
      report.add(.clientProgram(name), client.program)
      report.add(.clientUserID(name), Int64(client.peer.userID))
      report.add(.clientProcessID(name), Int64(client.peer.processID))
      report.add(.clientIsServed(name), entitlement.isAuthorized)
      for sequence in updates.sequences(of: client.id) {
        report.add(
          .sequenceStands(name, "\(sequence.id.number)"),
          "\(sequence.configuration.name), \(sequence.state.inWords)")
        guard entitlement.isGranted, shownCount < Engine.sequencesShownMax else { continue }
        shownCount += 1
        addPause(of: sequence, name, to: &report, at: now)
      }
    }
  }

  /// The report must fit one message of the protocol.
  private static let sequencesShownMax = 64
  private static let clientsShownMax = 256

  /// Adds whether the updates of a sequence pause, since when, and the filled part of its dwell.
  private func addPause(
    of sequence: LiveSequence, _ client: String, to report: inout Report, at now: Instant
  ) {
    let number = "\(sequence.id.number)"
    let dwell = updates.dwells[sequence.configuration]
    let filling = rest.filling(dwell: dwell)
    let filled = sequence.pause.filledSeconds(of: filling?.seconds ?? 0, at: now)
    var state = sequence.pause.state
    var since = sequence.pause.since
    // A dwell that is partly filled leads to a pause, although updates are still delivered.
    if state == .moving, filled > 0, let filling {
      state = .settling
      since = max(since, filling.since)
    }
    report.add(.sequencePause(client, number), state.rawValue)
    report.add(.sequencePauseTime(client, number), (now - since).seconds)
    report.add(.sequenceDwell(client, number), dwell.seconds)
    report.add(.sequenceFilled(client, number), filled)
  }
}

extension ReceiverMachine {
  var link: ReceiverLink? { session?.value.link }

  var connection: InPlace<Connection>? { session?.value.connection }

  /// The message of the last position, while positions come.
  fileprivate var positionSource: NavigationSolution.Source? { session?.value.positionSource }

  /// When a receiver that does not answer is polled again.
  fileprivate var nextQuestion: Instant? {
    guard let session = session?.value, !session.isConnected else { return nil }
    return switch session.listenOnly {
    case .searching(let search): search.isPausing ? search.nextDeadline : nil
    case .reading(let source): source.askAgain(session.link)
    }
  }

  /// The receiver's identity, even if the receiver answers nothing else.
  fileprivate var identity: ReceiverIdentity? {
    guard connection == nil, case .reading(let source)? = session?.value.listenOnly,
      case .deafness(let identity) = source.reason
    else { return connection?.value.identity }
    return identity
  }

  /// The receiver's dynamic model, as far as known.
  var model: DynamicModel { session?.value.connection?.value.setup.ordered.model ?? .portable }

  /// The receiver's state for a light.
  enum Condition: Equatable, Sendable {
    /// There is no device.
    case absent
    /// There is a device, and its speed is being searched for.
    case searching
    /// The device answers at no speed.
    case silent
    /// The receiver sends.
    case heard
    /// The receiver sleeps, or is being woken.
    case asleep
  }

  var condition: Condition { session?.value.condition ?? .absent }

  /// Whether a program acts as the receiver.
  var isSimulated: Bool { session?.value.link.kind.isSimulated ?? false }

  fileprivate var stateInWords: String {
    if let connection { return connection.value.stateInWords }
    if let session { return session.value.listenOnly.inWords }
    return switch device.state {
    case .idle: "not started"
    case .opening, .open: "opening the device"
    case .closed: "waiting for the device"
    }
  }
}

extension Connection {
  fileprivate var stateInWords: String {
    switch sleep.state {
    case .awake: break
    case .ordered: return "falling asleep"
    case .asleep: return "asleep"
    case .listening, .waking: return "being woken"
    }
    if case .missing = positions.state { return "configured, but it sends no positions" }
    guard setup.isIdle else { return "configuring" }
    return setup.isProven ? "running" : "running, not configured as wanted"
  }
}

extension ReceiverSession {
  fileprivate var condition: ReceiverMachine.Condition {
    if let connection { return connection.value.sleep.isAwake ? .heard : .asleep }
    return switch listenOnly {
    case .searching(let search): search.isPausing ? .silent : .searching
    case .reading: .heard
    }
  }
}

extension ReceiverSession.ListenOnlySession {
  fileprivate var inWords: String {
    switch self {
    case .searching(let search):
      if search.isPausing { return "no answer at any speed" }
      return search.isHearing ? "heard, identity polled" : "searching"
    case .reading(let source):
      switch source.reason {
      case .silence: return "reading only, it does not answer"
      case .deafness: return "reading only, it answers no orders"
      }
    }
  }
}

extension NavigationSolution.Source {
  fileprivate var inWords: String {
    switch self {
    case .navPVT: "NAV-PVT"
    case .navSOL: "NAV-SOL"
    case .navPOSLLH: "NAV-POSLLH"
    case .nmea: "NMEA sentences"
    case .navPVAT: "NAV-PVAT"
    case .hnrPVT: "HNR-PVT"
    }
  }
}

extension HorizontalAccuracy.Origin {
  fileprivate var inWords: String {
    switch self {
    case .receiver: "receiver"
    case .dilution: "dilution of precision x 5 m"
    case .assumed: "assumed: the receiver sends neither an accuracy nor a dilution of precision"
    }
  }
}

extension Event.ReceiverPort.Kind {
  fileprivate var isSimulated: Bool {
    switch self {
    case .uart, .usb, .i2c: false
    case .pseudoTerminal, .virtualI2C: true
    }
  }

  fileprivate var inWords: String {
    switch self {
    case .uart: "uart"
    case .usb: "usb"
    case .pseudoTerminal: "pseudo-terminal"
    case .i2c: "i2c"
    case .virtualI2C: "i2c of a virtual board"
    }
  }
}

extension LiveSequence.State {
  fileprivate var inWords: String {
    switch self {
    case .waiting: "served"
    case .unavailable: "told that there is no location"
    case .refused(let obstacles): obstacles.inWords
    }
  }
}

extension Damage.Cause {
  fileprivate var reportName: String {
    switch self {
    case .noise: "noise"
    case .ubxChecksum: "ubx_checksum"
    case .nmeaChecksum: "nmea_checksum"
    case .rtcmChecksum: "rtcm_checksum"
    case .overlong: "overlong"
    case .brokenSentence: "broken_sentence"
    case .abandoned: "abandoned"
    case .truncated: "truncated"
    }
  }
}
