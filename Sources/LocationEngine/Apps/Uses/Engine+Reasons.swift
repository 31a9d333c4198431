import BinnacleBasics
import BinnacleModel

/// The reasons for what an app gets or does not get, for `binnacle why APP`.
extension Engine {
  /// A condition for the delivery of locations.
  private struct Reason {
    let key: String
    let holds: Bool
    let text: String
    /// The one thing that would change the condition; nil if it is met.
    var change: String?
  }

  /// The rows of an app: what it gets, and then each condition.
  func reasonRows(
    of app: AppID, for reader: AdviceReader = .operator, at now: Instant
  ) -> [Report] {
    let reasons = reasons(of: app, for: reader, at: now)
    var head = Report()
    head.add(.rowID, "\(app)")
    head.add(.rowReceives, reasons.allSatisfy { $0.holds || $0.key == "accuracy" })
    head.add(.rowFlags, flags(of: app).joined(separator: " "))
    return [head]
      + reasons.map { reason in
        var row = Report()
        row.add(.rowID, "\(app)")
        row.add(.rowKey, reason.key)
        row.add(.rowHolds, reason.holds)
        row.add(.rowText, reason.text)
        if !reason.holds, let change = reason.change { row.add(.rowChange, change) }
        return row
      }
  }

  private func reasons(of app: AppID, for reader: AdviceReader, at now: Instant) -> [Reason] {
    let peer = peer(of: app)
    var reasons = [services(for: reader)]
    if !apps.isServedAlways(peer) {
      reasons += [
        authorization(of: app, peer.file, for: reader),
        accuracy(of: app, peer.file, for: reader, at: now),
      ]
      if apps.declaration(of: app)?.needsServiceSession == true {
        reasons.append(serviceSession(of: app, peer.file))
      }
      reasons.append(use(of: app, peer.file, for: reader))
      if apps.services.isOn, apps.isLightDue(for: app, { updates.isOpen(for: $0) }) {
        reasons.append(light(at: now))
      }
    }
    // A reader of a door has updates open for as long as it reads.
    if !app.isDoor { reasons.append(updates(of: app)) }
    if let life = apps.lives[app] { reasons.append(process(life, for: reader, at: now)) }
    reasons += [receiverReason(at: now), fixReason(at: now)]
    if updates.isOpen(for: app) { reasons.append(movement(of: app, for: reader)) }
    return reasons
  }

  /// The flags that an update of the app would have now.
  private func flags(of app: AppID) -> [String] {
    let entitlement = apps.entitlement(of: peer(of: app))
    var flags = entitlement.isGranted ? [] : entitlement.refusal.flags
    if entitlement.isGranted, entitlement.isReduced { flags.insert(.accuracyLimited) }
    let sequences = updates.sequences(of: app)
    if sequences.contains(where: { $0.state == .unavailable }) {
      flags.insert(.locationUnavailable)
    }
    if sequences.contains(where: \.pause.isPaused) { flags.insert(.stationary) }
    return ([("stationary", .stationary)] + Update.Flags.reasons)
      .filter { flags.contains($0.flag) }.map(\.name)
  }

  /// The process that stands for an app: of several programs at one path the one that was allowed, else the first process.
  ///
  /// For an app that is not running, it is a process in the background of the program that was allowed.
  func peer(of app: AppID) -> Peer {
    let grant = apps.grants[app]
    let own = apps.clients.map(\.peer).filter { $0.app == app && !$0.isOperator }
    let allowed = grant?.file.flatMap { file in own.first { $0.file == file } }
    if let peer = allowed ?? own.first { return peer }
    return Peer(
      userID: .max, processID: 0, app: app, file: grant?.fitsNoFile == true ? nil : grant?.file)
  }

  // MARK: Conditions

  private func services(for reader: AdviceReader) -> Reason {
    guard apps.services.isOn else {
      let change =
        if apps.services.damage == nil {
          reader.command("services on")
        } else if storage.state.readingObstacle == nil {
          "binnacle state accept, by root for an installed service"
        } else {
          "the end of the fault that keeps the daemon from its state; 'binnacle doctor' names the command"
        }
      return Reason(
        key: "services", holds: false, text: "Location services are off.", change: change)
    }
    return Reason(key: "services", holds: true, text: "Location services are on.")
  }

  private func authorization(
    of app: AppID, _ file: ProgramFile?, for reader: AdviceReader
  ) -> Reason {
    func no(_ text: String, _ change: String) -> Reason {
      Reason(key: "authorization", holds: false, text: "\(app) \(text)", change: change)
    }
    let allow = adviceToAllow(app, for: reader)
    let isAsking = apps.isAsking(app, file, hasUpdates: updates.isOpen(for: app))
    switch apps.authorization(of: app, file: file) {
    case .restricted:
      return no(
        "may not use your location: the board's profile restricts it.", adviceToEndRestriction())
    case .denied where apps.isDeniedByLoss(app):
      return no("may not use your location: your last answer about it may be lost.", allow)
    case .denied where apps.replaced.contains(app, file):
      return no(
        "may not use your location in this process: another program file at its path was allowed.",
        "a new start of the process")
    case .denied: return no("may not use your location: it was denied.", allow)
    case .notDetermined where app.isDoor:
      return no(
        "may not use your location: no operator has allowed it.",
        "\(allow), or Grant= of the door in the board's profile")
    case .notDetermined where !apps.canAsk(app) && !app.hasManifest:
      return no(
        "cannot ask for your location: its path is too long for the record of an answer.",
        "\(allow), or a shorter path")
    case .notDetermined where !apps.canAsk(app):
      return no(
        "cannot ask for your location: it gives no reason.",
        "WhenInUseUsageDescription= in the manifest of the app")
    case .notDetermined where apps.prompts.contains(where: { $0.app == app }):
      let press = pressThatAllows(app).map { ", or \($0)" } ?? ""
      return no("waits for your answer.", allow + press)
    case .notDetermined where isAsking && !apps.services.isOn:
      return no("waits for your answer, and asks again when location services are on.", allow)
    case .notDetermined where isAsking:
      let obstacle = apps.prompts.obstacle(to: app).map { ", because \($0.inWords)" } ?? ""
      return no(
        "has a request that waits\(obstacle).",
        "\(allow), or an answer to one of these requests; 'binnacle prompts' lists them")
    case .notDetermined where apps.isInFront(app):
      let request =
        apps.declaration(of: app)?.needsServiceSession == true
        ? Engine.askingSession : "a request of the app: updates or a service session"
      return no("has not asked for your location yet.", "\(allow), or \(request)")
    case .notDetermined:
      let front = adviceToBringToFront(app, for: reader)
      // A program without a manifest has to run before it is allowed.
      let isOnlyStart = !app.hasManifest && apps.state(of: app) == .notRunning
      return no(
        "has not asked for your location yet: it asks in the foreground.",
        isOnlyStart ? front : "\(front), or \(allow)")
    case .whenInUse:
      return Reason(
        key: "authorization", holds: true, text: "\(app) may use your location while it is in use.")
    case .always:
      return Reason(
        key: "authorization", holds: true, text: "\(app) may always use your location.")
    }
  }

  private static func inWords(waiting count: Int) -> String {
    count == 1 ? "1 update waits" : "\(count) updates wait"
  }

  /// The session that asks for an app with `RequireExplicitServiceSession`.
  private static let askingSession =
    "a CLServiceSession of the app that requires when in use or always"

  private func accuracy(
    of app: AppID, _ file: ProgramFile?, for reader: AdviceReader, at now: Instant
  ) -> Reason {
    let authorization = apps.authorization(of: app, file: file)
    let condition = authorization.isGiven ? "" : " once it is authorized"
    let next = nextPlaceInWords(of: app, at: now)
    guard apps.isReduced(app) else {
      return Reason(
        key: "accuracy", holds: true,
        text: "\(app) may get your exact location\(condition).\(next)")
    }
    // The authorization comes first: no answer counts as long as the profile restricts the app, and an answer about an app without
    // authorization also authorizes it.
    let change = authorization.isGiven ? adviceToAllow(app, ["full"], for: reader) : nil
    return Reason(
      key: "accuracy", holds: false,
      text: "\(app) may get your approximate location only\(condition).\(next)", change: change)
  }

  private func serviceSession(of app: AppID, _ file: ProgramFile?) -> Reason {
    func no(_ text: String, _ change: String) -> Reason {
      Reason(
        key: "service_session", holds: false, text: "\(app) \(text)",
        change: "\(change), made in the foreground")
    }
    // Before an answer only a session with a requirement counts, because only such a session asks.
    let isAsking = apps.authorization(of: app, file: file) == .notDetermined
    let session = isAsking ? Engine.askingSession : "a CLServiceSession of the app"
    if apps.needsServiceSession(app) {
      return no("holds no service session, and its manifest requires one.", session)
    }
    if apps.needsServiceSession(app, toAsk: isAsking) {
      return no("holds no service session that requires when in use or always.", session)
    }
    return Reason(key: "service_session", holds: true, text: "\(app) holds a service session.")
  }

  private func use(
    of app: AppID, _ file: ProgramFile?, for reader: AdviceReader
  ) -> Reason {
    if app.isDoor { return reading(of: app) }
    let authorization = apps.authorization(of: app, file: file)
    if let right = apps.right(of: app, authorization) {
      return Reason(
        key: "use", holds: true, text: "\(app) \(right.inWords(isInFront: apps.isInFront(app))).")
    }
    if apps.state(of: app) == .notRunning {
      return Reason(
        key: "use", holds: false, text: "\(app) is not running.",
        change: adviceToStart(app, for: reader))
    }
    let front = adviceToBringToFront(app, for: reader)
    guard let declaration = apps.declaration(of: app) else {
      return Reason(
        key: "use", holds: false,
        text: "\(app) has no terminal, so it is in the background, and it has no manifest.",
        change: "\(front), or give it a manifest in apps.d")
    }
    return Reason(
      key: "use", holds: false,
      text: "\(app) is in the background, and no session keeps it in use.",
      change: declaration.hasBackgroundLocation
        ? "\(front); a CLBackgroundActivitySession that it makes there keeps it in use" : front)
  }

  private func reading(of app: AppID) -> Reason {
    apps.state(of: app) == .notRunning
      ? Reason(
        key: "use", holds: false, text: "No program reads as \(app).",
        change: "start a program that reads the door")
      : Reason(key: "use", holds: true, text: "\(app) reads its door, in the background.")
  }

  private func light(at now: Instant) -> Reason {
    let next = nextLampTryInWords(at: now)
    return switch apps.light {
    case .lit:
      Reason(
        key: "light", holds: true, text: "The indicator is lit, and was read back.\(next)")
    case .dark, .asserting:
      Reason(
        key: "light", holds: false, text: "The indicator is being lit.",
        change: "the indicator reads back lit")
    case .failed(let reason):
      Reason(
        key: "light", holds: false, text: "The indicator cannot be lit: \(reason).\(next)",
        change: "mend the indicator; binnacle doctor looks at its line")
    }
  }

  private func updates(of app: AppID) -> Reason {
    updates.isOpen(for: app)
      ? Reason(key: "updates", holds: true, text: "\(app) has updates open.")
      : Reason(
        key: "updates", holds: false, text: "\(app) has no updates open.",
        change: "the app iterates CLLocationUpdate.liveUpdates()")
  }

  /// Whether the process of an app runs, so that the app gets its updates at once.
  private func process(
    _ life: AppLife, for reader: AdviceReader, at now: Instant
  ) -> Reason {
    func no(_ text: String, _ change: String) -> Reason {
      Reason(key: "process", holds: false, text: "\(life.app) \(text)", change: change)
    }
    let start = adviceToStart(life.app, for: reader)
    switch life.state {
    case .running, .noticed:
      return Reason(key: "process", holds: true, text: "\(life.app) runs.")
    case .starting: return no("is being started.", "its start")
    case .absent where apps.state(of: life.app) != .notRunning:
      return Reason(
        key: "process", holds: true, text: "\(life.app) runs; the launcher has not started it.")
    case .freezing, .frozen, .thawing:
      return no(
        "is suspended; \(Engine.inWords(waiting: life.queue.entries.count)) for it.",
        "an update that it has a right to, or \(adviceToBringToFront(life.app, for: reader))")
    case .absent where life.isQuit: return no("was closed by a person.", start)
    case .absent:
      let wait = life.pace.nextLaunch - now
      guard apps.lives.isConnected else { return no("does not run.", start) }
      return no(
        life.lastEnd.map { "does not run: \($0)." } ?? "does not run.",
        wait > .zero
          ? "its next launch, in \(Int64(wait.seconds.rounded(.up))) s at the earliest"
          : "\(start), or an update that it has a right to")
    }
  }

  private func receiverReason(at now: Instant) -> Reason {
    var report = Report()
    addPower(to: &report, at: now)
    let wakes = report[.powerWakesIn].map { " It wakes in \(Int64($0.rounded())) s." } ?? ""
    let again = nextReceiverTryInWords(at: now)
    let words: (holds: Bool, text: String, change: String?) =
      switch receiver.condition {
      case .silent,
        .heard where receiver.silence(at: now) != nil:
        (false, "The receiver sends nothing.\(again)", "binnacle doctor looks at its line")
      case .heard: (true, "The receiver sends positions.", nil)
      case .searching:
        (false, "The receiver is searched for.", "connect the receiver; binnacle doctor helps")
      case .absent:
        (false, "There is no receiver.\(again)", "connect the receiver; binnacle doctor helps")
      case .asleep:
        (
          need != .updates, "The receiver sleeps.\(wakes)",
          "motion of the board, or updates of an app"
        )
      }
    return Reason(key: "receiver", holds: words.holds, text: words.text, change: words.change)
  }

  private func fixReason(at now: Instant) -> Reason {
    let next = nextFixInWords(at: now)
    guard let last = updates.lastFix else {
      return Reason(
        key: "fix", holds: need == .rest,
        text: "There was no fix since the daemon's start.\(next)",
        change: changeForFix(at: now))
    }
    let age = Int64((now - last.instant).seconds.rounded())
    let isFresh = now - last.instant < configuration.navigation.unavailableAfter || need == .rest
    return Reason(
      key: "fix", holds: isFresh, text: "The last fix is \(age) s old.\(next)",
      change: changeForFix(at: now))
  }

  /// The change that would bring a fix; the sky matters only while the receiver is heard.
  private func changeForFix(at now: Instant) -> String {
    if let obstacle = receiver.obstacle(at: now) { return obstacle.advice }
    return switch receiver.condition {
    case .heard: "a free view of the sky"
    case .searching, .silent, .absent: "a receiver that sends; binnacle doctor helps"
    case .asleep: "motion of the board, or updates of an app"
    }
  }

  /// Whether the updates pause; the evidence has the speed and the distance of the board, which are a location.
  private func movement(of app: AppID, for reader: AdviceReader) -> Reason {
    let entitlement = apps.entitlement(of: peer(of: app))
    let hasEvidence =
      reader == .operator || entitlement.permitsDelivery && !entitlement.isReduced
    let sequences = updates.sequences(of: app)
    let isPaused = sequences.allSatisfy(\.pause.isPaused)
    let dwell = sequences.map { updates.dwells[$0.configuration] }.min()
    let words = hasEvidence ? dwell.flatMap { rest.evidenceInWords(dwell: $0) } : nil
    let evidence = words.map { " \($0)" } ?? ""
    return isPaused
      ? Reason(
        key: "movement", holds: false, text: "The board rests, so updates pause.\(evidence)",
        change: "movement of the board")
      : Reason(
        key: "movement", holds: true,
        text: "The board moves, or has not rested long enough for a pause.\(evidence)")
  }
}

extension UseRight {
  fileprivate func inWords(isInFront: Bool) -> String {
    switch self {
    case .foreground: isInFront ? "is in the foreground" : "left the foreground a moment ago"
    case .backgroundSession: "holds a background activity session"
    case .classic: "has standard updates that continue in the background"
    case .alwaysSession: "holds a service session for use at all times"
    case .liveActivity: "has a live activity"
    case .operator: "is a tool of an operator"
    }
  }
}
