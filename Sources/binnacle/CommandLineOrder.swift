import BinnacleModel
import BinnaclePosix

/// What was asked for on the command line.
enum Order: Equatable {
  case status(isJSON: Bool)
  case power(isJSON: Bool)
  case why(isJSON: Bool)
  case sky(isJSON: Bool)
  case watch(Watch)
  case trace(output: String?)
  /// nil: show whether they are on.
  case services(isOn: Bool?)
  case doctor(Doctor)
  case decode([String])
  case press(PressCommand)
  case state(StateCommand)
  case writes(isJSON: Bool)
  case track(TrackCommand)
  case help
  case version

  struct Watch: Equatable {
    var configuration = LiveConfiguration.default
    var isJSON = false
    var countMax: Int?
    /// How long to be without a daemon.
    var timeoutSeconds: Double?
  }

  struct Doctor: Equatable {
    var isJSON = false
    /// Whether lights and buttons are tried with the person at the terminal.
    var isInteractive = false
    var board: String?
    var receiver: String?
    var configurationDirectory: String?
  }
}

/// The command line, read.
struct CommandLineOrder: Equatable {
  var order: Order
  /// `--runtime DIR`.
  var runtimeDirectory: String?

  init(_ words: [String]) throws(Arguments.UsageError) {
    var words = words[...]
    if words.first == "--runtime", words.count >= 2 {
      runtimeDirectory = words[words.startIndex + 1]
      words = words.dropFirst(2)
    }
    guard let command = words.popFirst() else { throw .init("a command is missing") }
    // The short forms that fingers know.
    let rest = words.map { $0 == "-h" ? "--help" : $0 == "-o" ? "--output" : $0 }
    switch command {
    case "decode":
      order = .decode(Array(words))
      return
    case "help", "--help", "-h":
      order = .help
      return
    case "version", "--version":
      order = .version
      return
    case "status", "watch", "trace", "doctor", "press", "services", "state", "writes",
      "track", "power", "why", "sky":
      break
    default:
      throw .init("'\(command)' is not a command")
    }
    let arguments = try Arguments(
      rest, options: CommandLineOrder.options(of: command),
      positionalsMax: CommandLineOrder.positionalsMax(of: command))
    runtimeDirectory = arguments.value("runtime") ?? runtimeDirectory
    if arguments.has("help") {
      order = .help
    } else if command == "status" {
      order = .status(isJSON: arguments.has("json"))
    } else if command == "power" {
      order = .power(isJSON: arguments.has("json"))
    } else if command == "why" {
      order = .why(isJSON: arguments.has("json"))
    } else if command == "sky" {
      order = .sky(isJSON: arguments.has("json"))
    } else if command == "watch" {
      order = .watch(try CommandLineOrder.watch(arguments))
    } else if command == "doctor" {
      order = .doctor(try CommandLineOrder.doctor(arguments))
    } else if command == "services" {
      order = .services(isOn: try CommandLineOrder.services(arguments))
    } else if command == "press" {
      order = .press(try CommandLineOrder.press(arguments))
    } else if command == "writes" {
      order = .writes(isJSON: arguments.has("json"))
    } else if command == "state" {
      order = .state(try StateCommand(arguments))
    } else if command == "track" {
      order = .track(try TrackCommand(arguments))
    } else {
      order = .trace(output: arguments.value("output"))
    }
  }

  private static func positionalsMax(of command: String) -> Int {
    switch command {
    case "press": 2
    case "state": 3
    case "services": 1
    default: 0
    }
  }

  private static func services(_ arguments: Arguments) throws(Arguments.UsageError) -> Bool? {
    switch arguments.positionals.first {
    case "on": return true
    case "off": return false
    case nil: return nil
    case let word?: throw .init("'\(word)' is neither on nor off")
    }
  }

  private static func options(of command: String) -> [Arguments.Option] {
    let common: [Arguments.Option] = [.value("runtime"), .flag("help")]
    switch command {
    case "status", "writes", "power", "why", "sky": return common + [.flag("json")]
    case "trace": return common + [.value("output")]
    case "services": return common
    case "doctor":
      return common + [
        .flag("json"), .flag("interactive"), .value("board"), .value("receiver"), .value("config"),
      ]
    case "press": return common + [.value("socket")]
    case "state": return common + StateCommand.options
    case "track": return common + TrackCommand.options
    default:
      return common + [.flag("json"), .value("configuration"), .value("count"), .value("timeout")]
    }
  }

  private static func watch(_ arguments: Arguments) throws(Arguments.UsageError) -> Order.Watch {
    var watch = Order.Watch()
    watch.isJSON = arguments.has("json")
    if let name = arguments.value("configuration") {
      guard let configuration = LiveConfiguration(name: name) else {
        let names = LiveConfiguration.allCases.map(\.name).joined(separator: ", ")
        throw .init("option '--configuration': '\(name)' is not one of \(names)")
      }
      watch.configuration = configuration
    }
    watch.countMax = try arguments.integer("count", in: 1...Int.max)
    watch.timeoutSeconds = try arguments.number("timeout", in: 0...1e9)
    return watch
  }

  private static func doctor(_ arguments: Arguments) throws(Arguments.UsageError) -> Order.Doctor {
    var doctor = Order.Doctor()
    doctor.isJSON = arguments.has("json")
    doctor.isInteractive = arguments.has("interactive")
    doctor.board = try path("board", in: arguments)
    doctor.receiver = try path("receiver", in: arguments)
    doctor.configurationDirectory = try path("config", in: arguments)
    return doctor
  }

  private static func path(
    _ name: String, in arguments: Arguments
  ) throws(Arguments.UsageError) -> String? {
    guard let path = arguments.value(name) else { return nil }
    guard !path.isEmpty else { throw .init("option '--\(name)' needs a value") }
    return path
  }

  private static func press(_ arguments: Arguments) throws(Arguments.UsageError) -> PressCommand {
    guard let button = arguments.positionals.first else { throw .init("press needs a BUTTON") }
    var press = PressCommand(button: button)
    if let word = arguments.positionals.dropFirst().first { press.kind = try .init(word) }
    press.socket = arguments.value("socket")
    return press
  }

  static let help = """
    binnacle: look at the location service of this board

      binnacle status [--json]    what the daemon, its receiver and its clients are doing
      binnacle power [--json]     whether the receiver is on, who keeps it on and for how long, how soon there would be a
                                  position, how often it slept
      binnacle why [--json]       why updates pause or do not: for each sequence whether it moves, settles or pauses, and
                                  what accelerometer and receiver say of that
      binnacle sky [--json]       the satellites in view: where each is, how strong its signal is, and whether the position
                                  rests on it
      binnacle watch [options]    print live updates until interrupted
        --configuration NAME      default, automotiveNavigation, otherNavigation, fitness, airborne
        --json                    one JSON object a line
        --count N                 end after N updates
        --timeout S               end with status 69 when there was no daemon for S seconds
      binnacle trace [-o FILE]    save what the flight recorder holds (binnacle-sim replays it)
      binnacle services [on|off]  turn locations on or off for every program, or show which
      binnacle doctor [options]   look for what is wrong with this machine, and say what mends it
        --json                    one JSON object for each finding
        --interactive             then try lights and buttons with whoever is at terminal and board
        --board NAME, --receiver DEVICE, --config DIR
                                  as for binnacled; else what the daemon is told counts
      binnacle writes [--json]    what was written for what is kept, by hour and class, and what the kernel counted
      binnacle state [show] [--json] [--coordinates]
                                  list what is kept: type, class, bytes, and what it says, positions only when
                                  asked for; from the daemon, or without one from its log
      binnacle state backup [FILE]    save it, as a log of state; the daemon may run
      binnacle state restore FILE [--force]
                                  put a log in the place of the daemon's, which must not run and whose log is set
                                  aside; --force: also one of another board, and what is left of a damaged one
      binnacle state erase all|sequences|defaults [APP]|fix|database|counters|tracks
                                  forget it, at once and for good; done when this ends
      binnacle state accept       accept that part of what is kept is lost (state.damage in status): what is
                                  left counts from then on; for root only
      binnacle state check FILE   look at a log of state, such as one of a card from another board,
                                  and say what is in it and what is lost; --json for programs
      binnacle state prepare DEVICE [--force]
                                  make a raw partition ready to be State= of a profile; --force destroys
                                  what is on it
        --state DIR               where the log is when no daemon runs; else where daemons keep it
      binnacle track [options]    where the board was, if its profile has that kept (Track=), for root and
                                  the daemon's own user
        --since WHEN              from then on: 2026-11-21, 2026-11-21T10:15:00Z, or an age: 90min, 2h, 3d
        --json | --gpx            one JSON object a line, or one GPX 1.1 document
        --state DIR               where the daemon keeps its state
      binnacle decode FILE...     print the epochs of recorded receiver bytes as JSON
      binnacle decode --frames FILE    print its frames
      binnacle press BUTTON [short|long|double|MS] [--socket PATH]
                                  press a button of a virtual board: for 120 ms, half a second longer
                                  than a long press takes (the daemon knows, else 2 s), twice, or
                                  for so many milliseconds
      binnacle help | version

    --runtime DIR goes with every command that asks the daemon: where its socket is. Otherwise
    BINNACLE_RUNTIME says so, otherwise it is looked for where daemons put it.

    Exit status: 0 done, 1 doctor found faults or a log is damaged, 64 usage, 65 no log or frame, 66 no input,
    69 no daemon, 73 cannot create the output, 75 the daemon runs, 77 not permitted.
    """
}
