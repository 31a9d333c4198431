import BinnacleBasics
import BinnaclePosix
import LiveView

/// Running commands.
extension ConsoleSession {
  /// Runs a command to its end, to Ctrl-C, or until the line goes.
  func run(_ words: [String], isInteractive: Bool) {
    let runtime = runtimeDirectory.map { ["--runtime", $0] } ?? []
    let isNamed = words.contains { $0 == "--runtime" || $0.hasPrefix("--runtime=") }
    let child: TerminalChild
    do throws(Errno) {
      child = try TerminalChild(
        ofThisProgram: (isNamed ? [] : runtime) + words,
        environment: ConsoleToken.environment(of: daemon.rights),
        secret: daemon.rights.token?.bytes, window: line.window)
    } catch {
      return say("the command cannot be started: \(error)")
    }
    if let baud = line.baud { child.setSpeed(baud) }
    command = RunningCommand(child, isInteractive: isInteractive)
    while command?.isOver == false, end == nil { turn() }
    let ending = command?.ending
    let wasInterrupted = command?.interruptedAt != nil
    let hasDrawn = command?.hasDrawn == true
    command = nil
    if case .killed? = ending, hasDrawn {
      // A view that was killed could not put the cursor below its picture.
      line.put(GridPainter.leaving(rows: Int(line.window.rows)), at: Clock.now)
    }
    if !line.isAtLineStart { line.put("\n", at: Clock.now) }
    if case .killed(let signal)? = ending, !wasInterrupted {
      say("the command was ended by signal \(signal)")
    }
    showNotices()
  }

  /// Keys while a command runs: Ctrl-C ends it, a command that reads its terminal gets them, others leave them for the next line.
  func typedWhileRunning(_ bytes: [UInt8], at now: Instant) {
    var rest = bytes[...]
    if let index = bytes.lastIndex(of: Key.controlC) {
      interruptCommand(at: now)
      rest = bytes[(index + 1)...]
    }
    guard let command, command.interruptedAt == nil else { return keepTyped(rest) }
    if command.isInteractive || command.child.readsKeys {
      _ = command.child.write(rest)
    } else {
      keepTyped(rest)
    }
  }

  func interruptCommand(at now: Instant) {
    guard let command else { return }
    forgetTyped()
    let readsKeys = command.child.readsKeys
    _ = command.child.write([Key.controlC])
    guard command.interruptedAt == nil else { return }
    command.interruptedAt = now
    // A full-screen view gives the screen back itself.
    guard !readsKeys else { return }
    command.isSilenced = true
    line.discard(at: now)
    say("^C")
  }

  /// Relays output of the command, and notes its end.
  func lookAtCommand(_ poll: Poll, at now: Instant) {
    guard let command else { return }
    if !poll.readiness(of: command.child.descriptor).isEmpty { relay(command, at: now) }
    if !poll.readiness(of: command.child.endDescriptor).isEmpty { command.hasEnded = true }
    if command.hasEnded, !line.isBusy {
      relay(command, at: now)
      if command.isDrained { command.finish() }
    }
    if let killAt = command.killAt, killAt <= now {
      command.child.kill()
      command.killAt = nil
    }
    // A full-screen view draws the whole screen, and shows requests itself.
    if daemon.hasNotices, !command.child.readsKeys, line.isAtLineStart { showNotices() }
  }

  private func relay(_ command: RunningCommand, at now: Instant) {
    var buffer = [UInt8](repeating: 0, count: 2_048)
    while !line.isBusy {
      guard let count = try? command.child.read(into: &buffer), count > 0 else {
        command.isDrained = true
        return
      }
      command.isDrained = false
      if buffer[..<count].contains(Key.escape) { command.hasDrawn = true }
      if !command.isSilenced { line.put(buffer[..<count], at: now) }
    }
  }
}
