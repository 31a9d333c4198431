import BinnacleBasics
import BinnacleModel

/// The judgement of PINs, and the end of the rights of unlocked consoles.
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
        consoles.checkBegan(.init(console: client, request: number))
        effects.append(.client(client, .checkPIN(request: number)))
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
      let seconds = (pause.nanoseconds + 999_999_999) / 1_000_000_000
      throw ConsentRefusal(
        .notPossible, "no PIN is tried yet: a PIN was wrong; try again in \(seconds) s")
    }
    guard consoles.check == nil else {
      throw ConsentRefusal(.notPossible, "the PIN of another console is being compared; try again")
    }
  }

  /// Takes the result of the comparison that the engine has ordered.
  mutating func pinChecked(
    _ number: UInt32, _ verdict: PINVerdict, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard consoles.checkEnded(.init(console: client, request: number)) else { return }
    let name = consoleName(client)
    switch verdict {
    case .right:
      let time = configuration.console.unlockTime
      consoles.unlocked(client, until: now + time)
      effects.append(.client(client, .unlocked(request: number, for: time)))
      effects.append(
        .log(.notice, "console: \(name) is unlocked for \(time.nanoseconds / 1_000_000_000) s"))
      sendPrompts(into: &effects)
    case .wrong:
      consoles.pinWasWrong(at: now)
      let seconds = ConsoleTable.pause(after: consoles.wrongCount).nanoseconds / 1_000_000_000
      refuse(number, client, "wrong PIN; the next one may be tried in \(seconds) s", &effects)
      effects.append(
        .log(
          .warning,
          "console: a wrong PIN from \(name), wrong PINs in a row: \(consoles.wrongCount)"))
    case .unset:
      refuse(
        number, client,
        "this board has no PIN, so no console can be unlocked; root sets one by: binnacle console --set-pin",
        &effects)
    case .unreadable:
      refuse(
        number, client,
        "the PIN of this board cannot be read, so no console can be unlocked; root sets it again by: "
          + "binnacle console --set-pin", &effects)
      effects.append(
        .log(.error, "console: \(name) stays locked, because the file of the PIN is not usable"))
    }
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
    effects.append(.client(console, .locked))
    effects.append(.log(.notice, "console: \(consoleName(console)) is locked again, \(reason)"))
    sendPrompts(into: &effects)
  }

  /// The name of a console in the log: its program names the line.
  private func consoleName(_ client: ClientID) -> String {
    let program = apps.client(client)?.program ?? "a console"
    return "'\(PlainText.line(program))' (client \(client.number))"
  }

  /// Whether a client has the rights of an unlocked console that is locked again.
  func hasLostConsole(_ client: ClientID) -> Bool {
    guard case .unlocked(let console)? = apps.client(client)?.peer.console else { return false }
    return !consoles.isUnlocked(console)
  }

  /// Whether a client may see an app: operators and consoles see all apps, other users their own.
  func maySee(_ app: AppID, _ client: AppTable.Client) -> Bool {
    switch client.peer.console {
    case nil, .unlocked?: apps.mayManage(app, client.peer)
    case .viewer?: configuration.console.view == .yes || consoles.isUnlocked(client.id)
    }
  }
}
