import BinnacleBasics
import BinnaclePosix
import VirtualWire

/// `binnacle press`: presses a button of a virtual board.
struct PressCommand: Equatable {
  var button: String
  var kind = Kind.short
  /// `--socket PATH`; nil: the socket in the runtime directory.
  var socket: String?

  enum Kind: Equatable {
    case short
    case long
    case double
    case held(milliseconds: Int64)

    init(_ word: String) throws(Arguments.UsageError) {
      switch word {
      case "short": self = .short
      case "long": self = .long
      case "double": self = .double
      default:
        guard let number = Int64(word), (1...600_000).contains(number) else {
          throw .init("'\(word)' is none of short, long, double, nor milliseconds (1 to 600000)")
        }
        self = .held(milliseconds: number)
      }
    }

    /// The durations of pressed and released phases, in turn, for this time of a long press.
    func intervals(longPress: Interval) -> [Interval] {
      switch self {
      case .short: [.milliseconds(120)]
      case .long: [longPress + .milliseconds(500)]
      case .double: [.milliseconds(120), .milliseconds(120), .milliseconds(120)]
      case .held(let milliseconds): [.milliseconds(milliseconds)]
      }
    }
  }

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    guard let button = arguments.positionals.first else { throw .init("press needs a BUTTON") }
    self.button = button
    if let word = arguments.positionals.dropFirst().first { kind = try Kind(word) }
    socket = arguments.value("socket")
  }

  /// The shortest time between two presses: two commands in a row are two presses, and not the bouncing of one.
  private static let pause = Interval.milliseconds(60)
  /// The default of `LongPress`, for use without a daemon.
  private static let longPress = Interval.seconds(2)
  /// The time-out of the daemon's answer.
  private static let answerTimeMax = Interval.seconds(2)

  /// Presses and releases the button; an interruption also releases it.
  ///
  /// - Returns: the exit status; `interrupted` only if a signal comes before the press.
  func run(runtimeDirectory: String?) throws -> ExitStatus {
    let directory = RuntimeDirectory.ofClient(option: runtimeDirectory)
    let path = socket ?? directory + "/" + VirtualLimits.socketName
    let longPress: Interval
    switch kind == .long ? try askedLongPress(runtimeDirectory) : .unknown {
    case .told(let interval): longPress = interval
    case .unknown: longPress = PressCommand.longPress
    case .interrupted: return .interrupted
    }
    let signals = try Signals([.interrupt, .terminate])
    let board: BoardConnection
    do throws(SystemError) {
      board = try BoardConnection(path: path)
    } catch {
      if error.errno == .accessDenied {
        complain("\(error); only root and the user of the virtual board press its buttons")
        return .notPermitted
      }
      complain("no virtual board: \(error); 'make run' or 'binnacle-sim board' starts one")
      return .serviceUnavailable
    }
    var isInterrupted = false
    for (index, interval) in kind.intervals(longPress: longPress).enumerated() {
      let isDown = index % 2 == 0
      guard try press(isDown, on: board, path) else { return .serviceUnavailable }
      isInterrupted = try isInterrupted || wait(interval, signals)
      if isInterrupted { break }
    }
    guard try press(false, on: board, path) else { return .serviceUnavailable }
    _ = try wait(PressCommand.pause, signals)
    return .success
  }

  private enum LongPress {
    case told(Interval)
    case unknown
    case interrupted
  }

  /// The daemon's time of a long press for this button.
  private func askedLongPress(_ runtimeDirectory: String?) throws(Errno) -> LongPress {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle press")
    _ = connection.machine.request(.status, at: Clock.now)
    connection.start()
    let end = Clock.now + PressCommand.answerTimeMax
    while connection.failure == nil {
      switch try connection.turn(until: end) {
      case .interrupted: return .interrupted
      case .deadline: return .unknown
      case .actions(let actions):
        for case .status(let report) in actions {
          guard let seconds = report[.buttonLongPress(button)],
            (0...600).contains(seconds)
          else { return .unknown }
          return .told(Interval(nanoseconds: Int64(seconds * 1e9)))
        }
      }
    }
    return .unknown
  }

  private func press(_ isDown: Bool, on board: BoardConnection, _ path: String) throws -> Bool {
    switch try board.ask(.press(part: button, isPressed: isDown)) {
    case .done: return true
    case .failed(let text): complain(text)
    case .line, .parts, nil: complain("\(path): the board does not answer")
    }
    return false
  }

  /// Waits; returns whether a signal has requested the end.
  private func wait(_ interval: Interval, _ signals: borrowing Signals) throws -> Bool {
    let end = Clock.now + interval
    var poll = Poll()
    poll.set(signals.descriptor, .reading)
    while Clock.now < end {
      try poll.wait(until: end)
      if signals.next() != nil { return true }
    }
    return false
  }
}
