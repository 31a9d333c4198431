import BinnacleBasics
import BinnacleModel
import StateLog

/// The judgement of PINs and of the gestures that replace them, and the end of the rights of unlocked consoles.
extension Engine {
  mutating func take(
    _ request: ConsoleRequest, _ number: UInt32, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    do throws(ConsentRefusal) {
      try requireConsole(client)
      switch request {
      case .unlock:
        try admitPIN(at: now)
        consoles.checkBegan(.init(console: client, request: number, isTry: true))
        consoles.tryBegan(at: now)
        noteTry(of: client, number, at: now, into: &effects)
      case .unlockByPresence:
        try unlockByPresence(number, client, at: now, into: &effects)
      case .describeLock:
        let presence = configuration.console.presence
        effects.append(.client(client, .describeLock(request: number, presence)))
      case .lock:
        effects.append(.client(client, .answer(request: number, failure: nil)))
        if consoles.locked(client) { lockedAgain(client, "by command", at: now, into: &effects) }
      }
    } catch {
      effects.append(.client(client, .consentRefusal(request: number, error)))
    }
  }

  private func requireConsole(_ client: ClientID) throws(ConsentRefusal) {
    switch apps.client(client)?.peer.console {
    case .viewer?: return
    case .unlocked?, nil:
      throw ConsentRefusal(.notPermitted, "only the connection of a console itself can be unlocked")
    }
  }

  /// Refuses a PIN during a pause, before it is compared.
  private func admitPIN(at now: Instant) throws(ConsentRefusal) {
    if let pause = consoles.pause(at: now) {
      throw ConsentRefusal(
        .notPossible,
        "no PIN is tried yet: a PIN was wrong; try again in \(pause.secondsRoundedUp) s"
      )
    }
    try requireNoCheck()
  }

  private func requireNoCheck() throws(ConsentRefusal) {
    guard consoles.check == nil else {
      throw ConsentRefusal(.notPossible, "the PIN of another console is being compared; try again")
    }
  }

  // MARK: Presence

  /// A person has made the gesture of `Presence`.
  mutating func personPresent(at button: String, at now: Instant, into effects: inout [Effect]) {
    consoles.personPresent(at: now)
    let seconds = ConsoleTable.presenceTime.secondsRoundedUp
    effects.append(
      .log(
        .notice, "button \(button): one console may be unlocked without a PIN for \(seconds) s"))
  }

  /// Unlocks a console by a person's gesture; without one the answer says what unlocks it, when the daemon has said whether
  /// there is a PIN.
  private mutating func unlockByPresence(
    _ number: UInt32, _ client: ClientID, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    if consoles.takePresence(at: now) {
      return unlock(client, number, by: .presence, at: now, into: &effects)
    }
    try requireNoCheck()
    consoles.checkBegan(.init(console: client, request: number, isTry: false))
    effects.append(.client(client, .checkPIN(request: number)))
  }

  /// The sentence about what unlocks consoles.
  private func wayOut(hasPIN: Bool) -> String {
    let gesture = configuration.console.presence.map {
      let seconds = ConsoleTable.presenceTime.secondsRoundedUp
      return "\($0.instruction) at the board, then type 'unlock' within \(seconds) s"
    }
    return switch (gesture, hasPIN) {
    case (let gesture?, true): "\(gesture); or type the PIN"
    case (let gesture?, false): gesture
    case (nil, true): "type 'unlock' with the PIN"
    case (nil, false): "root sets a PIN by: binnacle console --set-pin"
    }
  }

  // MARK: The PIN

  /// The try is kept, or cannot be kept; then each try costs the longest pause, also the first one after a start.
  mutating func tryNoted(
    of client: ClientID, _ number: UInt32, failure: StorageFault?, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard consoles.check?.console == client, consoles.check?.request == number else { return }
    if let failure {
      let readyAt = startInstant + ConsoleTable.pauseMax
      guard now >= readyAt else {
        _ = consoles.checkEnded(of: client, number)
        consoles.tryWithdrawn()
        let seconds = (readyAt - now).secondsRoundedUp
        return refuse(
          number, client,
          "no PIN is tried yet: the board cannot keep the number of tries (\(failure)); try again in \(seconds) s",
          &effects)
      }
      consoles.tryNotKept(at: now)
    }
    effects.append(.client(client, .checkPIN(request: number)))
  }

  /// Takes the result of the comparison that the engine has ordered.
  mutating func pinChecked(
    _ number: UInt32, _ verdict: PINVerdict, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let check = consoles.checkEnded(of: client, number) else { return }
    guard check.isTry else {
      let hasPIN = verdict == .wrong
      let reason = hasPIN || configuration.console.presence != nil ? "" : "this board has no PIN; "
      return refuse(number, client, reason + wayOut(hasPIN: hasPIN), &effects)
    }
    let name = consoleName(client)
    switch verdict {
    case .right:
      consoles.pinWasRight()
      forgetTries(at: now, into: &effects)
      unlock(client, number, by: .pin, at: now, into: &effects)
    case .wrong:
      consoleUses.pinWasWrong(console: program(of: client), time: time(at: now), at: now)
      let pause = ConsoleTable.pause(after: consoles.wrongCount)
      refuse(
        number, client, "wrong PIN; the next one may be tried in \(pause.secondsRoundedUp) s",
        &effects)
      effects.append(
        .log(
          .warning,
          "console: a wrong PIN from \(name), wrong PINs in a row: \(consoles.wrongCount)"))
    case .unset:
      consoles.tryWithdrawn()
      refuse(number, client, "this board has no PIN; " + wayOut(hasPIN: false), &effects)
    case .unreadable:
      consoles.tryWithdrawn()
      refuse(
        number, client,
        "the PIN of this board cannot be read, so no PIN unlocks a console; root sets it again by: "
          + "binnacle console --set-pin", &effects)
      effects.append(
        .log(.error, "console: \(name) stays locked, because the file of the PIN is not usable"))
    }
  }

  private mutating func unlock(
    _ client: ClientID, _ number: UInt32, by cause: ConsoleUse.Cause, at now: Instant,
    into effects: inout [Effect]
  ) {
    let time = configuration.console.unlockTime
    consoles.unlocked(client, until: now + time)
    consoleUses.unlocked(
      client, cause, console: program(of: client), time: self.time(at: now), at: now)
    effects.append(.client(client, .unlocked(request: number, for: time)))
    let way = cause == .presence ? "a person at the board" : "its PIN"
    effects.append(
      .log(
        .notice,
        "console: \(consoleName(client)) is unlocked for \(time.secondsRoundedUp) s, by \(way)"))
    sendPrompts(into: &effects)
  }

  private func refuse(
    _ number: UInt32, _ client: ClientID, _ text: String, _ effects: inout [Effect]
  ) {
    let refusal = ConsentRefusal(.notPermitted, text)
    effects.append(.client(client, .consentRefusal(request: number, refusal)))
  }

  /// Locks the consoles whose time is up.
  mutating func lapseConsoles(at now: Instant, into effects: inout [Effect]) {
    for console in consoles.lapse(at: now) {
      lockedAgain(console, "because its time is over", at: now, into: &effects)
    }
  }

  private mutating func lockedAgain(
    _ console: ClientID, _ reason: String, at now: Instant, into effects: inout [Effect]
  ) {
    consoleUses.locked(console, time: time(at: now), at: now)
    effects.append(.client(console, .locked))
    effects.append(.log(.notice, "console: \(consoleName(console)) is locked again, \(reason)"))
    sendPrompts(into: &effects)
  }

  /// The name of a console in the log: its program names the line.
  private func consoleName(_ client: ClientID) -> String {
    "'\(PlainText.line(program(of: client)))' (client \(client.number))"
  }

  private func program(of client: ClientID) -> String {
    apps.client(client)?.program ?? "a console"
  }

  /// Whether a client has the rights of an unlocked console that is locked again.
  func hasLostConsole(_ client: ClientID) -> Bool {
    guard case .unlocked(let console)? = apps.client(client)?.peer.console else { return false }
    return !consoles.isUnlocked(console)
  }

  /// Whether a client may see an app: operators and consoles see all apps, other users their own.
  func maySee(_ app: AppID, _ client: AppTable.Client) -> Bool {
    client.peer.console == .viewer ? mayView(client) : apps.mayManage(app, client.peer)
  }

  /// Whether a client may see what the whole board does.
  func mayView(_ client: AppTable.Client) -> Bool {
    switch client.peer.console {
    case nil, .unlocked?: client.peer.mayOperate
    case .viewer?: configuration.console.view == .yes || consoles.isUnlocked(client.id)
    }
  }
}

extension Interval {
  /// The whole seconds, rounded up.
  fileprivate var secondsRoundedUp: Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
}
