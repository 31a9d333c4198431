import BinnacleBasics
import BinnacleModel
import StateLog

/// The rights of apps: the answers of persons, the foreground, and the consequences.
extension Engine {
  // MARK: Answers

  mutating func allow(
    _ app: AppID, _ allowance: ConsentRequest.Allowance?, isReduced: Bool? = nil,
    by source: Grant.Source, for requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    let prompt = apps.prompts.request(of: app)
    if allowance == nil, isReduced != false, prompt?.request == .fullAccuracy {
      return answerAccuracy(
        prompt, isGiven: isReduced == nil, requester, at: now, into: &effects)
    }
    let before = apps.grants[app].flatMap { $0.authorization.isGiven ? $0 : nil }
    // A command that names only an accuracy does not answer the request for `always`.
    let isUpgradeAnswered =
      prompt?.request == .always && (allowance != nil || isReduced == nil)
    let authorization =
      allowance?.authorization
      ?? (app.isDoor || isUpgradeAnswered ? .always : before?.authorization ?? .whenInUse)
    var file: ProgramFile?
    switch app {
    case .listed: break
    case .unlisted, .unresolved:
      file = prompt?.file ?? apps.file(of: app)
      if authorization == .always {
        throw ConsentRefusal(
          .notPossible,
          "\(app) has no manifest, so it can get locations only while it is in use; give it a manifest in apps.d"
        )
      }
      if case .unlisted = app, file == nil {
        throw ConsentRefusal(
          .notPossible,
          apps.state(of: app) == .notRunning
            ? "no process of \(app) is connected, so its program file is not known; start it, and allow it then"
            : "only an old program of \(app) runs, which a newer file has replaced; end it, start the new one, and allow it then"
        )
      }
    case .door:
      if authorization == .whenInUse {
        throw ConsentRefusal(
          .notPossible,
          "\(app) reads a door, so it is always in the background; 'binnacle allow \(app)' allows that"
        )
      }
    }
    // A denial keeps the answer to the request for `always`; only a reset permits a second request.
    let isAlwaysAnswered =
      authorization == .always || isUpgradeAnswered
      || apps.grants[app]?.isAlwaysAnswered == true
    let grant = Grant(
      authorization, by: source, isAlwaysAnswered: isAlwaysAnswered,
      isReduced: isReduced ?? before?.isReduced
        ?? apps.isReducedByDefault(app),
      at: time(at: now), file: file)
    if isReduced == true { apps.refuseFullAccuracy(to: app) }
    try decide(grant, for: app, requester, at: now, into: &effects)
  }

  /// A person has answered the request for full accuracy, which no record keeps.
  private mutating func answerAccuracy(
    _ prompt: Prompt?, isGiven: Bool, _ requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let prompt, let purpose = prompt.purpose else { return }
    apps.temporaryAccuracy.answered(prompt.app, purpose, isGiven: isGiven)
    effects.append(
      .log(
        .notice,
        "\(prompt.app): \(isGiven ? "may use your exact location until it is no longer in use" : "continues with your approximate location")"
      ))
    reportCommit(.init(orders: [], requester: requester, failure: nil), into: &effects)
    rightsChanged(at: now, into: &effects)
  }

  /// Refuses the open prompt.
  ///
  /// Refusing an upgrade keeps the right that the app has.
  private mutating func refuse(
    _ prompt: Prompt, by source: Grant.Source, for requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    switch prompt.request {
    case .whenInUse: try deny(prompt.app, by: source, for: requester, at: now, into: &effects)
    case .always:
      try allow(prompt.app, .whenInUse, by: source, for: requester, at: now, into: &effects)
    case .fullAccuracy:
      answerAccuracy(prompt, isGiven: false, requester, at: now, into: &effects)
    }
  }

  mutating func deny(
    _ app: AppID, by source: Grant.Source, for requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    let denial = Grant(
      .denied, by: source, isAlwaysAnswered: apps.grants[app]?.isAlwaysAnswered == true,
      at: time(at: now))
    try decide(denial, for: app, requester, at: now, into: &effects)
  }

  mutating func reset(
    _ app: AppID, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    try decide(nil, for: app, requester, at: now, into: &effects)
  }

  /// Stores an answer, and carries it out: a grant after its commit, a denial after the answer of the log.
  ///
  /// An equal answer keeps the time of the earlier answer, so that the log writes nothing. It is a decision
  /// nevertheless, because the commit of a different answer may be pending.
  private mutating func decide(
    _ grant: Grant?, for app: AppID, _ requester: Requester, at now: Instant,
    into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    guard let name = app.grantRecord else {
      throw ConsentRefusal(
        .notPossible, "the path of \(app) is too long for a record; give it a manifest in apps.d")
    }
    var grant = grant
    if let before = apps.grants[app], let same = grant, same.isSameAnswer(as: before) {
      grant = before
    }
    let action: Change.Action =
      grant.map { .put($0.bytes, isCautious: RecordTable.grant.isCautious) } ?? .remove
    let decision = Decision(
      isGiven(grant, to: app, name) ? .gives : .takesAway, changes: [Change(name, action)],
      then: [StateOrder.setGrant(app, grant)])
    follow(
      storage.state.decide(decision, for: requester, at: now, into: &effects), at: now,
      into: &effects)
  }

  /// Whether an answer gives a right, so that it has no effect before its commit; else it has its effect also without the disk.
  ///
  /// While another answer for the app waits, each answer but a denial counts as one that gives, because the answer before may take away
  /// more.
  private func isGiven(_ grant: Grant?, to app: AppID, _ name: RecordName) -> Bool {
    guard let grant else { return isMoreByProfile(app) }
    guard grant.authorization != .denied else { return false }
    guard let before = apps.answer(for: app), !storage.state.isDeciding(name) else { return true }
    return !grant.isLess(than: before)
  }

  /// Whether an app gets more without an answer than now: the board's profile then decides about a reader of a door.
  func isMoreByProfile(_ app: AppID) -> Bool {
    guard let profile = apps.profileGrant(of: app) else { return false }
    if let name = app.grantRecord, storage.state.isDeciding(name) { return true }
    guard let before = apps.grants[app] else { return apps.isDeniedByLoss(app) }
    return before.authorization == .denied || before.isReduced && !profile.isReduced
  }

  /// Carries out an answer that the log has acknowledged.
  mutating func setGrant(
    _ grant: Grant?, for app: AppID, at now: Instant, into effects: inout [Effect]
  ) {
    apps.setGrant(grant, for: app)
    if let grant, grant.authorization != .denied { rightGiven(at: now) }
    let words =
      grant == nil && app.isDoor
      ? "the answer is forgotten; Grant= of the door in the board's profile decides"
      : Engine.inWords(grant)
    effects.append(.log(.notice, "\(app): \(words)"))
    rightsChanged(at: now, into: &effects)
  }

  private static func inWords(_ grant: Grant?) -> String {
    guard let grant else { return "may ask for your location again" }
    let location = grant.isReduced ? "your approximate location" : "your location"
    let right =
      switch grant.authorization {
      case .always: "may always use \(location)"
      case .whenInUse: "may use \(location) while it is in use"
      case .denied, .notDetermined, .restricted: "may not use your location"
      }
    return "\(right) (answered by \(grant.source.name))"
  }

  func time(at now: Instant) -> UTCTime? {
    guard case .read(let time, let instant) = wallClock else { return nil }
    return time + (now - instant)
  }

  // MARK: Buttons

  /// ALLOW was pressed: answers the open prompt.
  ///
  /// A press that began before the request was shown is for something else, for example for the request before.
  mutating func answerPrompt(
    with press: Panel.Press, at now: Instant, into effects: inout [Effect]
  ) {
    let button = press.button
    guard let prompt = apps.prompts.shown, let shownAt = prompt.shownAt else {
      let first = apps.prompts.prompts.first
      let text =
        first.map { "the open requests are of apps in the background, the first of \($0.app)" }
        ?? "no request of an app is open"
      effects.append(.log(.info, "button \(button): \(text)"))
      return
    }
    guard press.beganAt >= shownAt else {
      let text = "the press began before the request of \(prompt.app) was shown: press again"
      effects.append(.log(.notice, "button \(button): \(text)"))
      return
    }
    do throws(ConsentRefusal) {
      if press.action == .allow {
        try allow(prompt.app, nil, by: .button, for: .button(button), at: now, into: &effects)
      } else {
        try refuse(prompt, by: .button, for: .button(button), at: now, into: &effects)
      }
    } catch {
      effects.append(.log(.warning, "button \(button): \(error.text)"))
    }
  }

  /// HOME was pressed.
  mutating func pressHome(button: String, at now: Instant, into effects: inout [Effect]) {
    do throws(ConsentRefusal) {
      try pressHome(for: .button(button), at: now, into: &effects)
    } catch {
      return effects.append(.log(.info, "button \(button): \(error.text)"))
    }
    rightsChanged(at: now, into: &effects)
  }

  // MARK: The foreground

  /// Brings an app to the foreground; the launcher starts an app that does not run.
  mutating func bringToForeground(
    _ app: AppID, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    try requireManifest(app)
    if apps.state(of: app) == .notRunning, apps.lives.isConnected {
      return try startApp(app, for: requester, at: now, into: &effects)
    }
    guard apps.state(of: app) != .notRunning else {
      throw ConsentRefusal(
        .notPossible,
        "\(app) is not running, and no launcher is connected: start binnacle-launch, or its program"
      )
    }
    try requireOpen(app)
    apps.bringToForeground(app, at: now)
    answer(requester, failure: nil, into: &effects)
  }

  /// An app that a person has closed does not come back before it has ended.
  func requireOpen(_ app: AppID) throws(ConsentRefusal) {
    guard let life = apps.lives[app],
      life.isQuit && life.isRunning || life.isPendingClose || storage.state.isClosing(app)
    else { return }
    throw ConsentRefusal(
      .notPossible, "\(app) was closed, and has not ended yet; start it again in a moment")
  }

  mutating func sendToBackground(_ app: AppID, at now: Instant) throws(ConsentRefusal) {
    try requireManifest(app)
    guard apps.state(of: app) != .notRunning else {
      throw ConsentRefusal(.notPossible, "\(app) is not running")
    }
    if apps.foreground.app == app { apps.sendForegroundAway(at: now) }
  }

  func requireManifest(_ app: AppID) throws(ConsentRefusal) {
    switch app {
    case .listed: return
    case .door:
      throw ConsentRefusal(
        .notPossible,
        "\(app) reads a door: it has no foreground, and the launcher neither starts nor closes it")
    case .unlisted, .unresolved: break
    }
    throw ConsentRefusal(
      .notPossible,
      "\(app) has no manifest; such an app is in the foreground as long as its process has a terminal"
    )
  }

  /// Moves the app in the foreground to the background, or brings the last one back, which the launcher starts if needed.
  mutating func pressHome(
    for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    if apps.foreground.app != nil {
      apps.sendForegroundAway(at: now)
      return answer(requester, failure: nil, into: &effects)
    }
    guard let last = apps.foreground.last else {
      throw ConsentRefusal(.notPossible, "no app was in the foreground yet")
    }
    try bringToForeground(last, for: requester, at: now, into: &effects)
  }

  /// When the lamp ends to flash for a prompt, and another prompt may take its place.
  var promptDeadline: Instant? {
    panel.promptBlink.nextDeadline == nil && !apps.prompts.hasWaiting ? nil : apps.prompts.blinkEnd
  }

  /// Shows the next prompt after `PromptTimeout`.
  mutating func promptTimePassed(at now: Instant, into effects: inout [Effect]) {
    if let end = apps.prompts.blinkEnd, end <= now { settlePrompts(at: now, into: &effects) }
  }

  // MARK: Consequences

  /// Applies the present rights: raises and withdraws prompts, then starts and ends deliveries.
  mutating func rightsChanged(at now: Instant, into effects: inout [Effect]) {
    apps.settleSessions()
    apps.dropForbiddenUpdates()
    settlePrompts(at: now, into: &effects)
    // An app that gets a flag about its authorization finds the same authorization.
    sendAnswers(into: &effects)
    updates.entitlementsChanged(apps, at: now, into: &effects)
    settleOutstanding(at: now)
    settleUses(at: now)
    sendDiagnostics(into: &effects)
    demandChanged(at: now, into: &effects)
    noteApps(at: now)
  }

  mutating func settlePrompts(at now: Instant, into effects: inout [Effect]) {
    let updates = updates
    let shown = apps.settlePrompts(
      hasUpdates: { updates.isOpen(for: $0) }, time: time(at: now), at: now)
    guard let shown else { return }
    let app = shown.app.shellWord
    effects.append(
      .log(
        .notice,
        "prompt: \(text(of: shown)) Answer: binnacle \(shown.request.grant(to: app)), or binnacle \(shown.request.refusal(to: app))"
      ))
  }

  /// The sentence that a person reads.
  func text(of prompt: Prompt) -> String {
    let app = prompt.app
    let location = apps.isReduced(app) ? "your approximate location" : "your location"
    let declaration = apps.declaration(of: app)
    let (wish, reason) =
      switch prompt.request {
      case .whenInUse: ("\(location) while it is in use", declaration?.whenInUseText)
      case .always: ("\(location) even when it is not in use", declaration?.alwaysText)
      case .fullAccuracy:
        (
          "your exact location until it is no longer in use",
          prompt.purpose.flatMap { declaration?.temporaryText(for: $0) }
        )
      }
    let question = "\(app) would like to use \(wish)."
    return reason.map { "\(question) \"\($0)\"" } ?? "\(question) It gives no reason."
  }

  /// Updates of apps that have got authorization stay outstanding while the apps are away; others do not.
  private mutating func settleOutstanding(at now: Instant) {
    for change in updates.takeOutstandingChanges(apps) {
      if change.isOutstanding {
        _ = apps.updatesOpened(change.app, change.configuration, at: now)
      } else {
        apps.updatesClosed(change.app, change.configuration, at: now)
      }
    }
  }
}
