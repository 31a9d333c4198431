import BinnacleBasics
import BinnacleModel
import UBX

extension Engine {
  /// The report for `status`: the state of all parts and the counts of discarded data, never a position.
  func report(at now: Instant) -> Report {
    var report = Report()
    report.add("engine.uptime_s", .number((now - startInstant).seconds))
    addReceiver(to: &report, at: now)
    addAssistance(to: &report, at: now)
    addPower(to: &report, at: now)
    accelerometer.add(to: &report, at: now)
    rest.add(to: &report, at: now)
    addFixes(to: &report, at: now)
    report.add("services.on", .flag(apps.services.isOn))
    storage.state.add(to: &report)
    addDamage(to: &report)
    addTrack(to: &report)
    addLife(to: &report, at: now)
    defaults.add(to: &report, storage.state.records)
    addDrops(to: &report)
    addSecurity(to: &report, at: now)
    panel.add(to: &report, at: now)
    addClients(to: &report, at: now)
    addOutstanding(to: &report, at: now)
    return report
  }

  private func addReceiver(to report: inout Report, at now: Instant) {
    report.add("receiver.state", .text(receiver.stateInWords))
    if let link = receiver.link {
      report.add("receiver.port", .text(link.kind.inWords))
      if !link.kind.isBus { report.add("receiver.speed_baud", .integer(Int64(link.speed))) }
      if link.hasFrames {
        report.add("receiver.last_frame_age_s", .number((now - link.lastFrame).seconds))
      }
    }
    if let instant = receiver.nextQuestion {
      report.add("receiver.asked_next_in_s", .number(max(.zero, instant - now).seconds))
    }
    if let identity = receiver.identity { add(identity, to: &report) }
    if let source = receiver.positionSource {
      report.add("receiver.position_from", .text(source.inWords))
    }
    if let connection = receiver.connection { add(connection.setup, to: &report) }
    if let percent = receiver.link?.quality.damagedPercent {
      report.add("receiver.damaged_percent", .integer(Int64(percent)))
    }
    if let trouble = receiver.trouble(at: now) {
      report.add("receiver.trouble", .text(trouble.text))
      report.add("receiver.advice", .text(trouble.advice))
    }
    let counters = receiver.memory.counters
    report.add("receiver.openings", .integer(Int64(counters.openings)))
    report.add("receiver.searches", .integer(Int64(counters.searches)))
    report.add("receiver.resets", .integer(Int64(counters.resets)))
    report.add("receiver.position_losses", .integer(Int64(counters.positionLosses)))
    report.add("receiver.frames", .integer(Int64(counters.frames)))
    report.add("receiver.epochs", .integer(Int64(counters.solutions)))
    report.add("receiver.epochs_dropped", .integer(Int64(counters.solutionsDropped)))
  }

  private func add(_ identity: ReceiverIdentity, to report: inout Report) {
    report.add("receiver.generation", .text(identity.generationInWords))
    if !identity.isPresumed { report.add("receiver.firmware", .text(identity.firmware)) }
    if let module = identity.module { report.add("receiver.module", .text(module)) }
    if let version = identity.protocolVersion {
      report.add("receiver.protocol", .text(version.description))
    }
  }

  private func add(_ setup: SetupMachine, to report: inout Report) {
    // Not the ordered configuration, but the verified one.
    if let rateHz = setup.proven.rateHz {
      report.add("receiver.rate_hz", .integer(Int64(rateHz)))
    }
    if let model = setup.proven.model { report.add("receiver.model", .text(model.name)) }
    report.add(
      "receiver.is_configured",
      .flag(setup.isIdle && setup.completion != .never && setup.isProven))
    add("receiver.unsupported", setup.limits.unsupported, to: &report)
    add("receiver.differences", setup.differences, to: &report)
    report.add("receiver.unanswered", .integer(Int64(setup.unansweredCount)))
  }

  /// An empty list is left out.
  private func add(_ name: String, _ list: [String], to report: inout Report) {
    if !list.isEmpty { report.add(name, .text(list.joined(separator: ", "))) }
  }

  private func addFixes(to report: inout Report, at now: Instant) {
    report.add("fixes.accepted", .integer(Int64(judge.acceptedCount)))
    switch judge.dateOrigin {
    case .receiver: break
    case .clock:
      report.add("fixes.date_from", .text("the board's clock: the receiver sends no date"))
    case .unknown:
      report.add(
        "fixes.date_from",
        .text(
          "unknown: the receiver sends no date, and the board's clock is not known to be right"))
    }
    guard let last = updates.lastFix else { return }
    report.add("fixes.last_age_s", .number((now - last.instant).seconds))
    report.add("fixes.last_horizontal_accuracy_m", .number(last.fix.horizontalAccuracy))
    if last.fix.verticalAccuracy > 0 {
      report.add("fixes.last_vertical_accuracy_m", .number(last.fix.verticalAccuracy))
    }
    report.add("fixes.last_time", .text(last.fix.time.rfc3339(fractionDigits: 3)))
    report.add("fixes.accuracy_origin", .text(judge.accuracyOrigin.inWords))
    if let sentence = judge.sentence {
      report.add("fixes.position_from", .text(sentence.name))
    }
  }

  private func addDrops(to report: inout Report) {
    for cause in Rejection.allCases {
      report.add("rejected." + cause.name, .integer(Int64(judge.rejections[cause])))
    }
    let damage = receiver.decoder.damage
    report.add("damage.bytes", .integer(Int64(damage.discardedBytes)))
    for cause in Damage.Cause.allCases {
      report.add("damage." + cause.reportName, .integer(Int64(damage[cause].occurrences)))
    }
    report.add("sessions.paused", .integer(Int64(updates.pausedCount)))
    report.add(
      "sessions.ignored_requests", .integer(Int64(apps.ignoredCount + updates.ignoredCount)))
  }

  private func addSecurity(to report: inout Report, at now: Instant) {
    add("spoofing", receiver.security.spoofing, to: &report, at: now)
    add("jamming", receiver.security.jamming, to: &report, at: now)
  }

  private func add(
    _ name: String, _ latch: SecurityWatch.Latch, to report: inout Report, at now: Instant
  ) {
    report.add("security.\(name)_indicated", .flag(latch.beginnings > 0))
    report.add("security.\(name)_present", .flag(latch.isPresent))
    report.add("security.\(name)_beginnings", .integer(Int64(latch.beginnings)))
    guard case .at(let instant) = latch.last else { return }
    report.add("security.\(name)_age_s", .number((now - instant).seconds))
    if case .read(let time, let read) = wallClock {
      report.add(
        "security.\(name)_time", .text((time + (instant - read)).rfc3339(fractionDigits: 0)))
    }
  }

  private func addClients(to report: inout Report, at now: Instant) {
    var shownCount = 0
    report.add("clients.count", .integer(Int64(apps.clients.count)))
    let demand = demand
    report.add("sessions.rate_wanted_hz", .integer(Int64(demand.rateHz)))
    report.add("sessions.model_wanted", .text(demand.model.name))
    for client in apps.clients {
      let name = "clients.\(client.id.number)"
      let entitlement = apps.entitlement(of: client.peer)
      report.add("\(name).app", .text("\(client.peer.app)"))
      report.add(name + ".program", .text(client.program))
      report.add(name + ".user_id", .integer(Int64(client.peer.userID)))
      report.add(name + ".process_id", .integer(Int64(client.peer.processID)))
      report.add(name + ".is_served", .flag(!entitlement.obstacles.contains(.denied)))
      for sequence in updates.sequences(of: client.id) {
        report.add(
          name + ".sequence.\(sequence.id.number)",
          .text("\(sequence.configuration.name), \(sequence.state.inWords)"))
        guard entitlement.isGranted, shownCount < Engine.sequencesShownMax else { continue }
        shownCount += 1
        addPause(of: sequence, as: name + ".sequence.\(sequence.id.number)", to: &report, at: now)
      }
    }
  }

  /// A report is one message of the protocol.
  private static let sequencesShownMax = 64

  /// Whether the updates of a sequence pause, since when, and how much of its dwell is filled.
  private func addPause(
    of sequence: LiveSequence, as name: String, to report: inout Report, at now: Instant
  ) {
    let dwell = updates.dwells[sequence.configuration]
    let filling = rest.filling(dwell: dwell)
    let filled = sequence.pause.filledSeconds(of: filling?.seconds ?? 0, at: now)
    var state = sequence.pause.state
    var since = sequence.pause.since
    // A dwell that fills is on its way to a pause, though updates go on.
    if state == .moving, filled > 0, let filling {
      state = .settling
      since = max(since, filling.since)
    }
    report.add(name + ".pause", .text(state.rawValue))
    report.add(name + ".pause_for_s", .number((now - since).seconds))
    report.add(name + ".dwell_s", .number(dwell.seconds))
    report.add(name + ".filled_s", .number(filled))
  }
}

extension ReceiverMachine {
  var link: ReceiverLink? { session?.link }

  var connection: Connection? { session?.connection }

  /// The message of the last position, while positions come.
  fileprivate var positionSource: NavigationSolution.Source? { session?.positionSource }

  /// When a receiver that does not answer is asked again.
  fileprivate var nextQuestion: Instant? {
    guard let session, session.connection == nil else { return nil }
    return switch session.listenOnly {
    case .searching(let search): search.isPausing ? search.nextDeadline : nil
    case .reading(let source): source.askAgain(session.link)
    }
  }

  /// The receiver's identity, even if the receiver says nothing else.
  fileprivate var identity: ReceiverIdentity? {
    guard connection == nil, case .reading(let source)? = session?.listenOnly,
      case .deafness(let identity) = source.reason
    else { return connection?.identity }
    return identity
  }

  /// The fault of the line's content, as text for a person; nil when there is none.
  fileprivate func trouble(at now: Instant) -> ReceiverTrouble? {
    guard let session else { return nil }
    let isExpected = session.connection.map { $0.setup.isIdle && $0.sleep.isAwake } ?? true
    if let trouble = stream.trouble(isExpected: isExpected, at: now) {
      return ReceiverTrouble(trouble)
    }
    if !session.isConnected, memory.sentenceRestorer?.isOwed == true { return .sentencesOwed }
    if session.connection?.setup.answersNoQuestion == true { return .answersNoQuestion }
    let quality = session.link.quality
    guard quality.effort != .plain, let percent = quality.damagedPercent else { return nil }
    return ReceiverTrouble(
      damagedPercent: percent, triesMax: CommandMachine.ordersMax * quality.effort.tries)
  }

  /// The receiver's dynamic model, as far as it is known.
  var model: DynamicModel { session?.connection?.setup.ordered.model ?? .portable }

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

  var condition: Condition { session?.condition ?? .absent }

  /// Whether the receiver is a program.
  var isSimulated: Bool { session?.link.kind.isSimulated ?? false }

  fileprivate var stateInWords: String {
    if let connection { return connection.stateInWords }
    if let session { return session.listenOnly.inWords }
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
    if let connection { return connection.sleep.isAwake ? .heard : .asleep }
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
      return search.isHearing ? "heard, asked who it is" : "searching"
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
    case .refused(let obstacles):
      obstacles.contains(.servicesOff) ? "location services are off" : "denied"
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
