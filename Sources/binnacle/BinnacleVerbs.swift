import BinnacleModel
import BinnaclePosix
import BinnacleText
import Verbs

/// The command table of `binnacle`.
enum BinnacleVerbs {
  /// The action of a row, with the arguments after its verb.
  typealias Action = (Arguments, Commands) throws -> ExitStatus
  typealias Row = Verb<Action>

  static var table: VerbTable<Action> {
    VerbTable(
      program: "binnacle", summary: "look at the location service of this board",
      verbs: looking + steering + rights + state + records + tools,
      sharedOptions: [
        .value(
          "runtime", "DIR",
          "where the daemon's socket is; otherwise BINNACLE_RUNTIME names it, otherwise it is where daemons put it"
        )
      ],
      closing: [
        "Exit status: 0 done; 1 doctor found faults, a log is damaged, or the change is not possible, such as 'home' without "
          + "an app that fits; 64 usage; 65 no log or frame, no such app or setting; 66 no input; 69 no daemon, no such button, "
          + "or the receiver sleeps; 73 cannot create the output; 75 the daemon runs; 77 not permitted; "
          + "130 a signal interrupted the request."
      ], groups: groups)
  }

  /// The verbs as the console's help has them.
  static let groups = [
    VerbGroup("the board", ["status", "top", "doctor", "log", "settings", "version"]),
    VerbGroup("locations", ["watch", "sky", "receiver", "motion", "power", "why", "services"]),
    VerbGroup("apps", ["apps", "start", "quit", "foreground", "background", "home", "output"]),
    VerbGroup("rights of apps", ["prompts", "allow", "deny", "reset", "grants"]),
    VerbGroup("history", ["day", "who", "audit", "writes", "track", "report"]),
    VerbGroup(
      "stored state",
      [
        "state", "state show", "state backup", "state restore", "state erase", "state accept",
        "state check", "state prepare",
      ]),
    VerbGroup("tools", ["press", "console", "trace", "decode"]),
  ]

  static let json = VerbOption.flag("json", "one JSON object")
  static let jsonLines = VerbOption.flag("json", "one JSON object a line")
  static let stateDirectory = VerbOption.value(
    "state", "DIR", "where the log is when no daemon runs; otherwise where daemons keep it")

  // MARK: Inspection

  private static var looking: [Row] {
    [
      Row(
        "status", "the state of each part and the problems, on one screen",
        options: [.flag("all", "everything, a line for each value"), json],
        console: .yes,
        details: [
          "Problems are listed first, each with the command that corrects it. Docs/SPEC-json.md says what each value means."
        ],
        examples: ["binnacle status", "binnacle status --all", "binnacle status --json"],
        action: { words, commands in
          if words.has("all"), words.has("json") {
            throw Arguments.UsageError("status: choose one of --all and --json")
          }
          return try commands.status(words.has("json") ? .json : words.has("all") ? .all : .screen)
        }),
      Row(
        "top", "the whole board on one screen, kept up to date until 'q' is pressed",
        isInteractive: true, console: .yes,
        details: [
          "Fix, movement, power, lights, stored state, satellites with their signals, apps with what they get and why not, "
            + "and the latest lines of the log. It prints at most 2 kB a second, so that a line of 9600 baud keeps up.",
          "With TERM=dumb, or if the output is no terminal, it prints lines: the board every 10 s, and news at once. NO_COLOR "
            + "turns colors off.",
        ],
        examples: ["binnacle top", "TERM=dumb binnacle top"],
        action: { _, commands in try commands.top() }),
      Row(
        "power", "whether the receiver is on, which program keeps it on, and how often it slept",
        options: [json],
        console: .yes,
        details: ["The output also has the expected time to the next position."],
        examples: ["binnacle power"],
        action: { words, commands in try commands.power(isJSON: words.has("json")) }),
      Row(
        "why", "why updates pause or do not pause, and why an app gets locations or gets none",
        operands: "[APP]", operandsMax: 1, operandNames: .apps, options: [jsonLines],
        console: .yes,
        details: [
          "For each sequence: whether it moves, settles or pauses, and what the accelerometer and the receiver say of that. "
            + "For each app, or for APP alone: each condition, whether it is met, and what would change it."
        ],
        examples: ["binnacle why", "binnacle why org.example.tracker --json"],
        action: { words, commands in
          if words.positionals.isEmpty { return try commands.why(isJSON: words.has("json")) }
          return try commands.why(try app(words, of: "why"), isJSON: words.has("json"))
        }),
      Row(
        "receiver", "the receiver: identity, configuration, line, threats, first fix",
        options: [json],
        console: .yes,
        details: [
          "'verified' means that each setting was read back. Jamming and spoofing are listed with the time of their last report."
        ],
        examples: ["binnacle receiver", "binnacle receiver --json"],
        action: { words, commands in try commands.receiver(isJSON: words.has("json")) }),
      Row(
        "motion", "acceleration and the verdict on rest, each second until interrupted",
        options: [jsonLines, .value("count", "N", "end after N lines")],
        console: .yes,
        details: [
          "The bar is full when the sway is that of a board that moves; the figures are the sway and this limit."
        ],
        examples: ["binnacle motion", "binnacle motion --count 5 --json"],
        action: { words, commands in
          try commands.motion(
            countMax: try words.integer("count", in: 1...Int.max), isJSON: words.has("json"))
        }),
      Row(
        "log", "the latest lines of the daemon's log",
        options: [
          .flag("follow", letter: "f", "then each further line, until interrupted"),
          .value(
            "priority", "NAME", among: LogLevel.allCases.map { "\($0)" },
            "only lines as urgent as NAME: error, warning, notice, info, debug"), jsonLines,
        ],
        console: .yes,
        details: [
          "The daemon keeps the last 1,000 lines since its start. It writes lines up to its --log-level."
        ],
        examples: ["binnacle log --priority warning", "binnacle log -f"],
        action: { words, commands in
          try commands.log(
            upTo: try priority(words), isFollowed: words.has("follow"), isJSON: words.has("json"))
        }),
      Row(
        "settings", "every setting in effect, its value, and where the value comes from",
        operands: "[NAME]", operandsMax: 1, operandNames: .settings, options: [jsonLines],
        console: .yes,
        details: [
          "NAME is a section, a key, or both, such as Location.PromptTimeout. Values come from the default, the board's "
            + "profile, a drop-in with file and line, or the command line."
        ],
        examples: ["binnacle settings", "binnacle settings Location --json"],
        action: { words, commands in
          try commands.settings(named: words.positionals.first, isJSON: words.has("json"))
        }),
      Row(
        "sky", "the satellites in view",
        options: [json, .value("svg", "OUT", "a drawing in this file; - is standard output")],
        console: .yes,
        details: [
          "The direction and the signal strength of each satellite, and whether the position uses it."
        ],
        examples: ["binnacle sky", "binnacle sky --json", "binnacle sky --svg sky.svg"],
        action: { words, commands in
          try choose(["json", "svg"], words, of: "sky")
          return try commands.sky(isJSON: words.has("json"), svg: words.value("svg"))
        }),
      Row(
        "day", "the last 24 hours: movement, receiver, indicator, and the states of apps",
        options: [jsonLines, .value("svg", "OUT", "a drawing in this file; - is standard output")],
        console: .yes,
        details: [
          "The daemon keeps up to 4096 transitions in its memory, so the history begins with the daemon's start. The use of "
            + "locations in the background, as in 'binnacle audit', is older."
        ],
        examples: ["binnacle day", "binnacle day --svg day.svg"],
        action: { words, commands in
          try choose(["json", "svg"], words, of: "day")
          return try commands.day(isJSON: words.has("json"), svg: words.value("svg"))
        }),
      Row(
        "watch", "print live updates until interrupted",
        options: [
          .value(
            "configuration", "NAME", among: LiveConfiguration.allCases.map(\.name),
            LiveConfiguration.allCases.map(\.name).joined(separator: ", ")), jsonLines,
          .value("count", "N", "end after N updates"),
          .value("timeout", "S", "end with status 69 when there was no daemon for S seconds"),
          .flag("operator", "read as an operator, whose tools need no answer of a person"),
          .value(
            "app", "ID", names: .apps, isOnConsole: false,
            "be the app ID, whose manifest has your user and Script=yes"),
          .flag("background", isOnConsole: false, "hold a background activity session of the app"),
          .value(
            "service", "NAME", among: ["whenInUse", "always"], isOnConsole: false,
            "hold a service session of the app: whenInUse or always"),
        ],
        console: .yes,
        details: [
          "Without --operator and --app this is an app without a manifest: it asks for the location, and a person answers."
        ],
        examples: [
          "binnacle watch", "sudo binnacle watch --operator --count 1 --json",
          "binnacle watch --app org.example.logger --background",
        ],
        action: { words, commands in try commands.watch(try WatchOrder(words)) }),
      Row(
        "console", "a prompt for these commands, at this terminal or on a serial line",
        options: [
          .value(
            "device", "PATH",
            "a serial line such as /dev/ttyGS0; otherwise, and with -, this terminal"),
          .value(
            "speed", "BAUD",
            "speed of the line, usually 115200; output is paced to it, also at this terminal"),
          .flag("locked", "begin without the rights of your user, until 'unlock'"),
          .flag(
            "set-pin",
            "set the PIN for 'unlock', and end; a script writes it to standard input as a line"),
          .value(
            "config", "DIR", "with --set-pin: as for binnacled; otherwise /etc/binnacle"),
        ],
        console: .no,
        details: [
          "The prompt shows the board's name and the state of the location service in one word. TAB completes commands, "
            + "options, apps and values; '?' lists what may come next; Ctrl-C returns to the prompt; 'exit' or Ctrl-D leaves. "
            + "Requests of apps appear at once, and 'allow' or 'deny' answers them.",
          "TERM names the kind of terminal; with TERM=dumb there are no escape sequences. The unit "
            + "binnacle-console@ttyGS0.service does this in place of a login.",
        ],
        examples: [
          "binnacle console", "binnacle console --device /dev/ttyS1 --speed 9600",
          "sudo binnacle console --set-pin",
        ],
        action: { words, commands in
          if words.has("set-pin") { return PINCommand(words).run() }
          return try ConsoleCommand(words, runtimeDirectory: commands.runtimeDirectory).run()
        }),
      Row(
        "doctor", "examine this machine for faults, and print the correction of each fault",
        options: [
          .flag("json", "one JSON object for each finding"),
          .flag(
            "interactive", isOnConsole: false,
            "then try lights and buttons together with the user of this terminal"),
          .value(
            "board", "NAME", isOnConsole: false,
            "as for binnacled; otherwise the --board option of the running daemon"),
          .value("receiver", "DEVICE", "as for binnacled"),
          .value("config", "DIR", "as for binnacled"),
        ],
        isInteractive: true, console: .yes,
        examples: ["binnacle doctor", "binnacle doctor --board raspberry-pi-4 --interactive"],
        action: { words, commands in
          try DoctorCommand(
            order: try DoctorCommand.Order(words), runtimeDirectory: commands.runtimeDirectory
          ).run()
        }),
    ]
  }

  private static func priority(_ words: Arguments) throws(Arguments.UsageError) -> LogLevel {
    guard let name = words.value("priority") else { return .debug }
    guard let level = LogLevel(name: name) else {
      let names = LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")
      throw .init("option '--priority': '\(name)' is not one of \(names)")
    }
    return level
  }
}
