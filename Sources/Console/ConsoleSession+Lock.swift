import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The lock of the console: `unlock` and `lock`.
extension ConsoleSession {
  /// Asks the daemon to unlock this console.
  func unlock(_ operands: [String]) {
    guard operands.count <= 1 else { return say("unlock takes a PIN, or asks for it") }
    guard checkLock() else { return }
    if let pin = operands.first { return tryPIN(Array(pin.utf8)) }
    // The daemon knows whether a person is at the board, and otherwise says what to do.
    if daemon.lock.presence != nil || !daemon.lock.hasPIN {
      let answer = answer(to: .unlockByPresence)
      show(answer)
      guard case .refused? = answer, daemon.lock.hasPIN else { return }
    }
    guard let pin = readSecret(prompt: "PIN: "), !pin.isEmpty, end == nil else { return }
    tryPIN(pin)
  }

  private func tryPIN(_ pin: [UInt8]) {
    guard pin.count <= WireLimits.pinSizeMax else { return say("that is no PIN: it is too long") }
    show(answer(to: .unlock(Secret(pin))))
  }

  private func show(_ answer: DaemonWatch.Outcome?) {
    switch answer {
    case .unlocked(let seconds)?:
      say("this console is unlocked for \(seconds) s; 'lock' ends that")
    case .refused(let text)?: say(folded(text))
    case .locked?, nil: break
    }
  }

  /// Asks the daemon to lock this console.
  func lock() {
    guard checkLock() else { return }
    if !daemon.isUnlocked { return say("this console is locked") }
    if case .refused(let text)? = answer(to: .lock) { say(folded(text)) }
    showNotices()
  }

  private func checkLock() -> Bool {
    if daemon.hasLock { return true }
    say(
      daemon.word == StateWord.absent
        ? "no daemon answers" : "this console has all rights of its user, so it has no lock")
    return false
  }

  /// Waits for the daemon's answer, at most until Ctrl-C.
  private func answer(to request: ConsoleRequest) -> DaemonWatch.Outcome? {
    daemon.ask(request, at: Clock.now)
    while end == nil, daemon.hasLock {
      if let outcome = daemon.outcome { return outcome }
      // Other keys wait for the next line: dropped, they would let the rest of a PIN become a command.
      if takeControlC() {
        say("^C")
        return nil
      }
      turn()
    }
    return nil
  }

  /// Reads a line that is not shown and not kept; nil after Ctrl-C, Ctrl-D, or at the end of the session.
  private func readSecret(prompt: String) -> [UInt8]? {
    line.put(prompt, at: Clock.now)
    var secret: [UInt8] = []
    while end == nil {
      guard let key = takeKey() else {
        turn()
        continue
      }
      switch key {
      case Key.lineFeed, Key.carriageReturn:
        line.put("\n", at: Clock.now)
        return secret
      case Key.controlC, Key.controlD:
        say("^C")
        return nil
      case Key.backspace, Key.delete: _ = secret.popLast()
      case Key.controlU: secret.removeAll()
      case _: if secret.count <= WireLimits.pinSizeMax { secret.append(key) }
      }
    }
    return nil
  }
}
