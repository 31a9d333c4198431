import BinnacleBasics
import BinnaclePosix

/// A command of the console that runs on a terminal of its own.
final class RunningCommand {
  /// How long a command may take to end after Ctrl-C.
  static let endTimeMax = Interval.seconds(1)

  let child: TerminalChild
  /// Whether the command reads its terminal.
  let isInteractive: Bool
  /// When Ctrl-C was pressed.
  var interruptedAt: Instant? {
    didSet { killAt = interruptedAt.map { $0 + RunningCommand.endTimeMax } }
  }
  /// When the command is killed; nil: no Ctrl-C was pressed, or it is killed already.
  var killAt: Instant?
  /// Whether further output is dropped.
  var isSilenced = false
  /// Whether escape sequences have come, as from a full-screen view.
  var hasDrawn = false
  /// Whether the process has ended; output may still wait.
  var hasEnded = false
  /// Whether the last read has returned no output.
  var isDrained = false
  private(set) var ending: ChildProcess.Ending?
  private(set) var isOver = false

  init(_ child: TerminalChild, isInteractive: Bool) {
    self.child = child
    self.isInteractive = isInteractive
  }

  func watch(with poll: inout Poll, isOutputWanted: Bool) {
    // A terminal that hung up would wake the poll until the end is noted, which comes at the same moment.
    if isOutputWanted, !hasEnded { poll.set(child.descriptor, .reading) }
    if !hasEnded { poll.set(child.endDescriptor, .reading) }
  }

  func finish() {
    ending = child.reap()
    isOver = true
  }
}
