import BinnacleBasics
import BinnacleModel

/// The life of apps that the launcher runs: suspended, resumed, and launched again.
extension Engine {
  // MARK: The launcher

  mutating func take(_ event: Event.Launcher, at now: Instant, into effects: inout [Effect]) {
    switch event {
    case .connected(let running):
      let names = running.map { "\($0.app)" }.joined(separator: ", ")
      effects.append(
        .log(.info, "launcher: connected; it runs \(names.isEmpty ? "no app" : names)"))
      for app in apps.lives.connected(running, at: now) {
        appEnded(app, .unknown, at: now, into: &effects)
      }
      for life in apps.lives.lives where life.isPendingClose {
        close(life.app, at: now, into: &effects)
      }
      endUndeclared(at: now, into: &effects)
    case .lost:
      apps.lives.lost()
      answerPendingCloses(into: &effects)
      effects.append(
        .log(.warning, "launcher: not connected; its apps continue, and no app is launched"))
    case .started(let app): appStarted(app, at: now, into: &effects)
    case .frozen(let app):
      apps.lives.change(app) { $0.frozen(at: now) }
      effects.append(.log(.info, "\(app): suspended"))
    case .thawed(let app): appThawed(app, at: now, into: &effects)
    case .refused(let app, let order, let reason):
      orderRefused(app, order, reason, at: now, into: &effects)
    case .memoryRead(let availableBytes):
      return memoryRead(availableBytes, at: now, into: &effects)
    case .ended(let app, let ending): appEnded(app, ending, at: now, into: &effects)
    }
    rightsChanged(at: now, into: &effects)
  }

  /// Answers the persons that wait for the end of closed apps, which no launcher ends now.
  private mutating func answerPendingCloses(into effects: inout [Effect]) {
    for life in apps.lives.lives where life.isPendingClose && !storage.state.isClosing(life.app) {
      let requester = apps.lives.change(life.app) { $0.takeRequester() }
      answer(requester, failure: Engine.closedWithoutLauncher(life.app), into: &effects)
    }
  }

  private mutating func appStarted(_ app: AppID, at now: Instant, into effects: inout [Effect]) {
    let end = now + apps.lives.window
    let requester = apps.lives.change(app) { life in
      life.started(busyUntil: end, at: now)
      // A person may have closed the app meanwhile, and waits for its end.
      return life.isQuit ? Requester.engine : life.takeRequester()
    }
    // The place of an app whose process has ended a short time ago is kept for the new process.
    apps.foreground.connected(app, hasTerminal: false)
    effects.append(.log(.info, "\(app): started"))
    if apps.lives[app]?.isPendingClose == true { close(app, at: now, into: &effects) }
    guard requester != .engine else { return }
    // A person has started the app.
    apps.bringToForeground(app, at: now)
    answer(requester, failure: nil, into: &effects)
  }

  /// Ends an app that a person has closed before its process could be ended.
  private mutating func close(_ app: AppID, at now: Instant, into effects: inout [Effect]) {
    guard let order = apps.lives.change(app, { $0.close(at: now) }) else { return }
    effects.append(.launcher(app, order))
  }

  private mutating func appThawed(_ app: AppID, at now: Instant, into effects: inout [Effect]) {
    let end = now + apps.lives.settings.runTime
    let waitingCount = apps.lives.change(app) { life in
      life.thawed(busyUntil: end)
      return life.queue.openCount
    }
    let waiting = CountText.words(waitingCount, "waiting update")
    effects.append(.log(.info, "\(app): continues, with \(waiting)"))
  }

  /// Ends the app that has been suspended longest if memory is short; it is launched again as after a crash.
  private mutating func memoryRead(
    _ availableBytes: Int64, at now: Instant, into effects: inout [Effect]
  ) {
    guard apps.lives.isConnected, availableBytes < apps.lives.settings.memoryReserveBytes,
      let app = apps.lives.longestSuspended
    else { return }
    let order = apps.lives.change(app) { $0.endForMemory(at: now) }
    effects.append(
      .log(
        .warning,
        "\(app): is ended, because only \(availableBytes >> 20) MB of memory are available"))
    effects.append(.launcher(app, order))
  }

  private mutating func orderRefused(
    _ app: AppID, _ order: Effect.Launcher, _ reason: String, at now: Instant,
    into effects: inout [Effect]
  ) {
    let isClosing = storage.state.isClosing(app)
    let (requester, isClosed) = apps.lives.change(app) { life in
      let wasStarting = life.state == .starting
      life.refused(order, reason: reason, at: now)
      switch order {
      case .start: return (isClosing ? Requester.engine : life.takeRequester(), life.isQuit)
      // An app that is about to start is ended when it has started.
      // An app that has ended by itself is closed, and its requester waits for the log.
      case .end, .kill:
        let isAnswered = wasStarting || isClosing && life.state == .absent
        return (isAnswered ? .engine : life.takeRequester(), false)
      case .freeze, .thaw: return (.engine, false)
      }
    }
    let text = "\(order.inWords) is not possible: \(reason)"
    effects.append(.log(.warning, "\(app): \(text)"))
    answer(requester, failure: isClosed ? nil : text, into: &effects)
  }

  private mutating func appEnded(
    _ app: AppID, _ ending: Event.AppEnding, at now: Instant, into effects: inout [Effect]
  ) {
    let window = apps.lives.window
    let isClosing = storage.state.isClosing(app)
    let (requester, isQuit, isRejected) = apps.lives.change(app) { life in
      let isRejected =
        ending == .exited(status: 0) && now - life.startedAt < window && !life.hasOpened
      life.ended(ending, at: now)
      // The answer of the log is still missing.
      return (isClosing ? Requester.engine : life.takeRequester(), life.isQuit, isRejected)
    }
    effects.append(.log(.info, "\(app): \(ending.inWords)"))
    if isQuit {
      quit(app, at: now)
    } else {
      apps.processEnded(app, isRejected: isRejected, at: now)
    }
    answer(requester, failure: nil, into: &effects)
  }

  func answer(_ requester: Requester, failure: String?, into effects: inout [Effect]) {
    switch requester {
    case .client(let client, let request):
      effects.append(.client(client, .answer(request: request, failure: failure)))
    case .button(let name):
      if let failure { effects.append(.log(.warning, "button \(name): \(failure)")) }
    case .engine, .console, .app: return
    }
  }

  // MARK: Waiting updates

  /// Keeps the updates of this event that are for suspended apps; such an app gets them when it continues.
  ///
  /// An update that an app in the background gets keeps the app running for `RunTime`. The updates of an
  /// always-session do not extend this time: otherwise the app would run all the time instead of once in
  /// `WakeInterval`.
  private mutating func holdUpdates(
    from start: Int, at now: Instant, into effects: inout [Effect]
  ) {
    let hasDeliveries = effects[start...].contains { effect in
      if case .client(_, .deliver) = effect { true } else { false }
    }
    guard hasDeliveries else { return }
    let countMax = apps.lives.settings.queueMax
    let end = now + apps.lives.settings.runTime
    var kept = effects[..<start]
    for effect in effects[start...] {
      guard case .client(let client, .deliver(let sequences, let update)) = effect,
        let peer = apps.client(client)?.peer, let life = apps.lives[peer.app], !peer.isOperator
      else {
        kept.append(effect)
        continue
      }
      // The launcher may report an end before the connections of the ended processes are closed.
      let hasEnded = life.state == .absent && apps.lives.isConnected && peer.isLaunched
      guard life.isRunning || hasEnded else {
        kept.append(effect)
        continue
      }
      if life.isSuspended || hasEnded {
        apps.lives.change(peer.app) {
          $0.queue.add(update, for: .sequences(client, sequences), countMax: countMax)
        }
      } else {
        kept.append(effect)
        if apps.rightInBackground(of: peer.app) != .alwaysSession {
          apps.lives.change(peer.app) { $0.keepRunning(until: end) }
        }
      }
    }
    effects = Array(kept)
  }

  /// Keeps a fix for the apps that have a right to it, and no process that iterates.
  ///
  /// For an app without a process the fix is the reason to launch it.
  mutating func keepForAbsentApps(_ fix: Fix, at now: Instant) {
    guard apps.lives.isConnected else { return }
    let countMax = apps.lives.settings.queueMax
    for app in apps.outstanding.apps where !app.absent.isEmpty && apps.earnsUpdates(app.id) {
      let isReduced = apps.isReduced(app.id)
      for absent in app.absent {
        let configuration = absent.configuration
        let isResting = rest.isResting(
          dwell: updates.dwells[configuration], isPaused: absent.pause.isPaused)
        if isResting { continue }
        if isReduced {
          let update = updates.coarseUpdate(of: fix, isDoor: false, at: now)
          apps.lives.change(app.id) { $0.queue.addOnce(update, for: configuration) }
        } else {
          let rateHz = updates.rate(of: configuration)
          apps.lives.change(app.id) {
            $0.queue.add(fix, for: configuration, rateHz: rateHz, countMax: countMax)
          }
        }
      }
    }
  }

  /// The updates that waited for a sequence, as the first updates of the sequence.
  ///
  /// Locations for an app in the background wait on until the indicator is lit.
  ///
  /// - Parameters:
  ///   - sequence: the sequence, which its client has just opened.
  ///   - client: the client.
  ///   - configuration: the configuration of the sequence.
  ///   - start: the number of effects before the sequence was opened.
  ///   - effects: gets the waiting updates before the updates of the opening.
  mutating func deliverWaiting(
    to sequence: SequenceID, of client: AppTable.Client, _ configuration: LiveConfiguration,
    from start: Int, into effects: inout [Effect]
  ) {
    let app = client.peer.app
    let isLast = !apps.outstanding.isAwaited(configuration, by: app)
    guard let life = apps.lives[app], !life.queue.isEmpty else { return }
    guard apps.entitlement(of: client.peer).permitsDelivery else {
      return apps.lives.change(app) { $0.queue.openedLate(sequence, of: client.id, configuration) }
    }
    let waiting = apps.lives.change(app) { $0.queue.take(for: configuration, isLast: isLast) }
    guard let last = waiting.last else { return }
    // The opening delivers the last fix, which may be the last one that waited.
    let isRepeated = effects[start...].contains {
      $0 == .client(client.id, .deliver([sequence], last))
    }
    let first = isRepeated ? waiting.dropLast() : waiting[...]
    effects.insert(
      contentsOf: first.map { .client(client.id, .deliver([sequence], $0)) }, at: start)
  }

  /// Delivers the updates that waited for an app that was suspended and runs, before the updates of this event.
  ///
  /// The app runs because it was resumed, because its suspension was refused, or because a new launcher has found it so.
  /// Locations for an app in the background wait on while the indicator is not lit.
  private mutating func deliverWaiting(from start: Int, into effects: inout [Effect]) {
    for life in apps.lives.lives where life.queue.hasOpenSequences {
      let own = apps.clients.filter { $0.peer.app == life.app }
      let entitled = own.filter { apps.entitlement(of: $0.peer).permitsDelivery }.map(\.id)
      func isAwake(_ client: ClientID) -> Bool {
        life.isRunning || own.contains { $0.id == client && !$0.peer.isLaunched }
      }
      let outstanding = apps.outstanding
      let waiting = apps.lives.change(life.app) { changed in
        // The locations of a late sequence of a suspended app are held again, before later ones.
        changed.queue.takeForLate(of: entitled.filter(isAwake)) {
          outstanding.isAwaited($0, by: life.app)
        }
          + (life.isSuspended
            ? [] : changed.queue.takeForClients(isAwake, mayHaveLocations: entitled.contains))
      }
      effects.insert(
        contentsOf: waiting.map { .client($0.client, .deliver($0.sequences, $0.update)) },
        at: start)
    }
  }

  // MARK: Decisions

  /// Orders what is due for each app of the launcher, and informs the apps of their phases.
  mutating func settleLives(from start: Int, at now: Instant, into effects: inout [Effect]) {
    if !apps.lives.isEmpty {
      deliverWaiting(from: start, into: &effects)
      holdUpdates(from: start, at: now, into: &effects)
      for app in apps.lives.lives.map(\.app) { settleLife(app, at: now, into: &effects) }
    }
    if phaseWatch.isEmpty { return }
    let apps = apps
    for (client, phase) in phaseWatch.takeChanges({ apps.phase(of: $0) }) {
      effects.append(.client(client, .phase(phase)))
    }
  }

  private mutating func settleLife(_ app: AppID, at now: Instant, into effects: inout [Effect]) {
    guard let life = apps.lives[app] else { return }
    if apps.lives.isConnected {
      let needs = apps.needs(of: life)
      let orders = apps.lives.change(app) { life in
        [life.killIfDue(at: now), life.settle(needs, at: now)].compactMap { $0 }
      }
      for order in orders {
        if case .start = order {
          effects.append(
            .log(.notice, "\(app): is launched in the background, for its location"))
        }
        effects.append(.launcher(app, order))
      }
      // An app counts as suspended from the order on.
      if !orders.isEmpty { noteState(of: app, at: now) }
    }
  }

  /// Sessions of an earlier run wait for their apps: an app that no process takes up within `RejoinWindow` is launched.
  mutating func recallLives(at now: Instant) {
    for app in apps.sessions.awayApps where app.hasManifest {
      let window = apps.lives.window
      apps.lives.change(app) { $0.recalledUntil = now + window }
    }
  }
}

extension Effect.Launcher {
  fileprivate var inWords: String {
    switch self {
    case .start: "starting it"
    case .freeze: "suspending it"
    case .thaw: "resuming it"
    case .end: "ending it"
    case .kill: "killing it"
    }
  }
}

extension Event.AppEnding {
  /// The end for a person.
  var inWords: String {
    switch self {
    case .exited(0): "ended"
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .unknown: "has ended"
    }
  }
}
