import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The check of the engine's effects.
extension LifeLedger {
  /// The time between the notice to an app and its suspension.
  private static let noticeTime = Interval.seconds(1)
  /// The most time by which a background task postpones a suspension.
  private static let taskMax = Interval.seconds(30)
  /// A new sequence begins with a location that is not older.
  private static let presentMax = Interval.seconds(2)

  /// Checks the effects of an event; returns the first broken rule.
  mutating func ordered(_ effects: [Effect], after event: Event, at now: Instant) -> String? {
    var wrong: String?
    let wasLit = lamp.isSeenLit
    owePresent(after: event, at: now)
    for effect in effects {
      switch effect {
      case .client(LifeLedger.witness, .deliver(_, let update)):
        if let fix = update.fix, fix.time != last?.time { arrived(fix, isLit: wasLit, at: now) }
      case .client(let client, .deliver(let ids, let update)):
        let broken = delivered(update, to: client, ids, isLit: wasLit, after: event, at: now)
        wrong = wrong ?? broken
      case .client(let client, .phase(let phase)):
        if let (app, place) = place(of: client) {
          accounts[app].clients[place].phase = (phase, now)
        }
      case .client(LifeLedger.person, .answer(let number, _)),
        .client(LifeLedger.person, .consentRefusal(let number, _)),
        .client(LifeLedger.person, .rows(let number, _)):
        answered(number)
      case .launcher(let id, let order):
        guard let app = model.index(of: id) else { continue }
        let broken = ordered(order, about: app, after: event, at: now)
        wrong = wrong ?? broken.map { "\($0): \(id)" }
      case .line(.indicator, let order): lamp.ordered(order)
      case .storage(.commit(let number, let changes)): ordered(number, changes)
      case .log(_, let text): logged(text, at: now)
      case .client, .receiver, .line, .watchAccelerometer, .storage, .track: break
      }
    }
    lamp.compare(isDue: model.isLampDue, at: now)
    for app in accounts.indices where mayReceiveNow(app) {
      let missing = accounts[app].checkNothingWaits()
      wrong = wrong ?? missing.map { "\($0): \(model.apps[app].id)" }
    }
    settle(at: now)
    return wrong
  }

  private mutating func logged(_ text: String, at now: Instant) {
    for app in model.apps.indices where text.hasPrefix("\(model.apps[app].id): closed by a person")
    {
      closed(app, at: now)
    }
  }

  // MARK: Locations

  /// The receiver has a location: each app that has a right to it now must get it.
  private mutating func arrived(_ fix: Fix, isLit: Bool, at now: Instant) {
    last = (fix.time, now)
    for app in accounts.indices {
      for client in accounts[app].clients {
        guard let process = model.process(client.id), model.mayReceive(process),
          model.isInFront(app) || isLit
        else { continue }
        for open in client.open {
          accounts[app].owe(fix.time, open.configuration, countMax: settings.queueMax)
        }
      }
      guard connectedAt != nil, accounts[app].closedAt == nil else { continue }
      let mayReceive =
        model.isInFront(app)
        ? model.isAllowed(app, file: nil) && !model.lacksServiceSession(app)
        : model.mayStayInBackground(app) && isLit
      guard mayReceive else { continue }
      for away in accounts[app].away {
        accounts[app].owe(fix.time, away.configuration, countMax: settings.queueMax)
      }
    }
  }

  /// A sequence that begins while the daemon takes the app for suspended gets its first location later.
  private mutating func owePresent(after event: Event, at now: Instant) {
    guard case .client(let client, .updatesOpened(let id, let configuration, _)) = event,
      let (app, _) = place(of: client), accounts[app].isSuspended, let last,
      isPresent(last.time, for: id, of: client, after: event, at: now)
    else { return }
    accounts[app].owe(last.time, configuration, countMax: settings.queueMax, mayBeMissing: true)
  }

  private mutating func delivered(
    _ update: Update, to client: ClientID, _ ids: [SequenceID], isLit: Bool,
    after event: Event, at now: Instant
  ) -> String? {
    guard let (app, place) = place(of: client) else { return nil }
    let name = "\(model.apps[app].id)"
    if accounts[app].isSuspended { return "an update is delivered to a suspended app: \(name)" }
    if accounts[app].isRunning, !model.hasOnlyAlwaysSession(app) {
      accounts[app].busyUntil = max(accounts[app].busyUntil, now + settings.runTime)
    }
    guard let fix = update.fix else {
      for id in ids {
        guard let open = accounts[app].clients[place].open.firstIndex(where: { $0.id == id })
        else { continue }
        accounts[app].clients[place].open[open].isRefused =
          !update.flags.isDisjoint(with: LifeLedger.reasons)
      }
      return nil
    }
    if !model.isAllowed(app, file: nil) {
      return "a location for an app that no person has allowed: \(name)"
    }
    if !model.isInFront(app), !isLit {
      return "a location in the background while the lamp is dark: \(name)"
    }
    if let last, fix.time != last.time { counts.waited += 1 }
    counts.locations[app] += 1
    for id in ids {
      let isPresent = isPresent(fix.time, for: id, of: client, after: event, at: now)
      let wrong = accounts[app].delivered(
        fix.time, to: id, of: place, isPresent: isPresent, at: now)
      if let wrong { return "\(wrong): \(name)" }
    }
    return nil
  }

  /// Whether all processes of an app may have locations, and the lamp permits them.
  private func mayReceiveNow(_ app: Int) -> Bool {
    (model.isInFront(app) || lamp.isSeenLit)
      && model.processes.allSatisfy { $0.app != app || model.mayReceive($0) }
  }

  private static let reasons: Update.Flags = [
    .authorizationDenied, .authorizationDeniedGlobally, .authorizationRestricted,
    .authorizationRequestInProgress, .insufficientlyInUse, .serviceSessionRequired,
  ]

  /// Whether a location is the present one, with which a new sequence begins.
  private func isPresent(
    _ time: UTCTime, for id: SequenceID, of client: ClientID, after event: Event, at now: Instant
  ) -> Bool {
    guard case .client(client, .updatesOpened(id, _, _)) = event, let last, last.time == time,
      now - last.at <= LifeLedger.presentMax
    else { return false }
    return model.process(client).map(model.mayReceive) ?? false
  }

  // MARK: Orders

  private mutating func ordered(
    _ order: Effect.Launcher, about app: Int, after event: Event, at now: Instant
  ) -> String? {
    guard connectedAt != nil || order == .end || order == .kill else {
      return "an order without a launcher"
    }
    switch order {
    case .start(let isForLocation):
      defer {
        if !isForLocation { accounts[app].startedByPerson() }
        accounts[app].process = .starting(byPerson: !isForLocation)
      }
      let paced = accounts[app].launches.ordered(byPerson: !isForLocation, at: now)
      guard isForLocation else { return nil }
      counts.launched += 1
      return whyNotLaunched(app, at: now) ?? paced
    case .freeze:
      defer { accounts[app].process = .freezing }
      return whyNotSuspended(app, at: now)
    case .thaw:
      defer { accounts[app].process = .thawing }
      return whyNotResumed(app, at: now)
    case .end, .kill:
      if order == .kill { accounts[app].killDue = nil }
      // The launcher lets the app continue, so that the app gets the signal.
      if order == .end, case .frozen = accounts[app].process { accounts[app].process = .thawing }
      // A process that a person starts in a terminal leaves the end of the launched one as it was ordered.
      if accounts[app].closedAt != nil || accounts[app].isEnding { return nil }
      guard order == .kill, isMemoryShort else {
        return "ended without a person's order"
      }
      isMemoryShort = false
      counts.endedForMemory += 1
      return isSuspendedLongest(app)
        ? nil : "ended for memory, although another app is suspended longer"
    }
  }

  private func whyNotLaunched(_ app: Int, at now: Instant) -> String? {
    if accounts[app].closedAt != nil { return "launched although a person has closed it" }
    if accounts[app].process != .absent { return "launched although it runs" }
    if !accounts[app].clients.isEmpty {
      return "launched although a process of it is connected"
    }
    if accounts[app].isRecalled, now < daemonStartedAt + window {
      return "launched before its process had RejoinWindow to come back"
    }
    guard model.hasAbsentSession(app), model.mayStayInBackground(app) else {
      return "launched without a right in the background"
    }
    if !accounts[app].isRecalled, !lamp.isSeenLit {
      return "launched for locations while the lamp is dark"
    }
    return nil
  }

  private func whyNotSuspended(_ app: Int, at now: Instant) -> String? {
    let account = accounts[app]
    guard account.process == .running else { return "suspended although it does not run" }
    if model.isInFront(app) { return "suspended in the foreground" }
    if model.apps[app].graceEnd != nil { return "suspended during its grace" }
    if account.clients.contains(where: { !$0.isLaunched }) {
      return "suspended although a person has started a process of it"
    }
    let isTask = model.apps[app].isHeld(.task)
    let first = account.busyUntil + (isTask ? LifeLedger.taskMax : LifeLedger.noticeTime)
    if now < first { return "suspended before the end of its time" }
    for client in account.clients {
      if let since = client.watchesSince {
        guard let (phase, at) = client.phase, phase == .suspending,
          at <= now - LifeLedger.noticeTime || since > now - LifeLedger.noticeTime
        else { return "suspended without a notice" }
      }
      guard let process = model.process(client.id), !model.mayReceive(process) else { continue }
      if client.open.contains(where: { !$0.isRefused }) {
        return "suspended before it was informed of its missing right"
      }
    }
    return nil
  }

  private func whyNotResumed(_ app: Int, at now: Instant) -> String? {
    let account = accounts[app]
    guard case .frozen(let since) = account.process else {
      return "resumed although it is not suspended"
    }
    let mustRun =
      model.front == app || model.apps[app].graceEnd != nil || now < account.busyUntil
      || account.clients.contains { !$0.isLaunched }
    if !mustRun, model.hasOnlyAlwaysSession(app), now < since + settings.wakeInterval {
      return "resumed within WakeInterval for an always-session"
    }
    return nil
  }

  private func isSuspendedLongest(_ app: Int) -> Bool {
    guard case .frozen(let since) = accounts[app].process else { return false }
    return !accounts.contains { account in
      guard case .frozen(let other) = account.process, account.killDue == nil,
        account.closedAt == nil
      else { return false }
      return other < since
    }
  }

  // MARK: Time

  /// Whether an app counts as suspended although the launcher has let all apps continue at its stop.
  var isSuspendedInVain: Bool {
    isLauncherStopped && accounts.contains { if case .frozen = $0.process { true } else { false } }
  }

  /// Notes since when an order is due.
  private mutating func settle(at now: Instant) {
    for app in accounts.indices {
      accounts[app].dueSince = isOrderDue(app, at: now) ? accounts[app].dueSince ?? now : nil
    }
  }

  /// Whether the app must be resumed or launched now.
  private func isOrderDue(_ app: Int, at now: Instant) -> Bool {
    let account = accounts[app]
    guard connectedAt != nil, account.closedAt == nil, model.mayStayInBackground(app) else {
      return false
    }
    switch account.process {
    case .frozen(let since):
      let wait = model.hasOnlyAlwaysSession(app) ? settings.wakeInterval : .zero
      return account.isOwed && lamp.isSeenLit && now >= since + wait
    case .absent:
      guard account.clients.isEmpty, model.hasAbsentSession(app),
        now >= account.launches.nextLaunch
      else { return false }
      return account.isRecalled
        ? now >= daemonStartedAt + window : account.isOwed && lamp.isSeenLit
    case .starting, .running, .freezing, .thawing: return false
    }
  }

  /// Checks what must have happened by now.
  func overdue(at now: Instant) -> String? {
    if let wrong = lamp.overdue(at: now) ?? overdueRequest(at: now) { return wrong }
    for (app, account) in accounts.enumerated() {
      if let since = account.dueSince, now - since > .seconds(3) {
        let word = account.process == .absent ? "launched" : "resumed"
        return "an app for which locations wait is not \(word): \(model.apps[app].id)"
      }
      if let due = account.killDue, let connectedAt, now > max(due, connectedAt) + .seconds(1) {
        return "an app that a person has closed is not killed: \(model.apps[app].id)"
      }
    }
    return nil
  }
}
