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
        "Exit status: 0 done, 1 doctor found faults or a log is damaged, 64 usage, 65 no log or frame, 66 no input, "
          + "69 no daemon, 73 cannot create the output, 75 the daemon runs, 77 not permitted."
      ])
  }

  private static let json = VerbOption.flag("json", "one JSON object")
  private static let jsonLines = VerbOption.flag("json", "one JSON object a line")
  private static let stateDirectory = VerbOption.value(
    "state", "DIR", "where the log is when no daemon runs; otherwise where daemons keep it")

  // MARK: Inspection

  private static var looking: [Row] {
    [
      Row(
        "status", "what is well and what is not, on one screen",
        options: [.flag("all", "everything, a line for each value"), json],
        details: [
          "What is not well stands first, with the command that mends it. Docs/SPEC-json.md says what each value means."
        ],
        examples: ["binnacle status", "binnacle status --all", "binnacle status --json"],
        action: { words, commands in
          if words.has("all"), words.has("json") {
            throw Arguments.UsageError("status: choose one of --all and --json")
          }
          return try commands.status(words.has("json") ? .json : words.has("all") ? .all : .screen)
        }),
      Row(
        "power", "whether the receiver is on, which program keeps it on, and how often it slept",
        options: [json],
        details: ["It also says how soon there would be a position."],
        examples: ["binnacle power"],
        action: { words, commands in try commands.power(isJSON: words.has("json")) }),
      Row(
        "why", "why updates pause or do not pause, and why an app gets locations or gets none",
        operands: "[APP]", operandsMax: 1, operandNames: .apps, options: [jsonLines],
        details: [
          "For each sequence: whether it moves, settles or pauses, and what the accelerometer and the receiver say of that. "
            + "For each app, or for APP alone: each condition, whether it is met, and what would change it."
        ],
        examples: ["binnacle why", "binnacle why org.example.tracker --json"],
        action: { words, commands in
          guard let app = words.positionals.first else {
            return try commands.why(isJSON: words.has("json"))
          }
          return try commands.why(app, isJSON: words.has("json"))
        }),
      Row(
        "receiver", "the receiver: identity, configuration, line, threats, first fix",
        options: [json],
        details: [
          "'verified' means that each setting was read back. Jamming and spoofing stand with the time of the last report."
        ],
        examples: ["binnacle receiver", "binnacle receiver --json"],
        action: { words, commands in try commands.receiver(isJSON: words.has("json")) }),
      Row(
        "motion", "acceleration and the verdict on rest, each second until interrupted",
        options: [jsonLines, .value("count", "N", "end after N lines")],
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
        details: [
          "Where each satellite is, how strong its signal is, and whether the position rests on it."
        ],
        examples: ["binnacle sky", "binnacle sky --json", "binnacle sky --svg sky.svg"],
        action: { words, commands in
          try choose(["json", "svg"], words, of: "sky")
          return try commands.sky(isJSON: words.has("json"), svg: words.value("svg"))
        }),
      Row(
        "day", "the last 24 hours: movement, receiver, indicator, and the states of apps",
        options: [jsonLines, .value("svg", "OUT", "a drawing in this file; - is standard output")],
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
            "app", "ID", names: .apps, "be the app ID, whose manifest has your user and Script=yes"),
          .flag("background", "hold a background activity session of the app"),
          .value(
            "service", "NAME", among: ["whenInUse", "always"],
            "hold a service session of the app: whenInUse or always"),
        ],
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
        ],
        details: [
          "The prompt shows the board's name and the state of the location service in one word. TAB completes commands, "
            + "options, apps and values; '?' lists what may come next; Ctrl-C returns to the prompt; 'exit' or Ctrl-D leaves. "
            + "Requests of apps appear at once, and 'allow' or 'deny' answers them.",
          "TERM names the kind of terminal; with TERM=dumb there are no escape sequences. The unit "
            + "binnacle-console@ttyGS0.service does this in place of a login.",
        ],
        examples: ["binnacle console", "binnacle console --device /dev/ttyS1 --speed 9600"],
        action: { words, commands in
          try ConsoleCommand(words, runtimeDirectory: commands.runtimeDirectory).run()
        }),
      Row(
        "doctor", "look for what is wrong with this machine, and say what mends it",
        options: [
          .flag("json", "one JSON object for each finding"),
          .flag("interactive", "then try lights and buttons with the person at the terminal"),
          .value("board", "NAME", "as for binnacled; otherwise what the daemon was told"),
          .value("receiver", "DEVICE", "as for binnacled"),
          .value("config", "DIR", "as for binnacled"),
        ],
        isInteractive: true,
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

  // MARK: Control

  private static var steering: [Row] {
    [
      Row(
        "services", "turn locations on or off for every program, or show which",
        operands: "[on|off]", operandsMax: 1, operandValues: ["on", "off"],
        examples: ["binnacle services", "binnacle services off"],
        action: { words, commands in try commands.services(isOn: try isOn(words)) }),
      Row(
        "press", "press a button of a virtual board", operands: "BUTTON [short|long|double|MS]",
        operandsMax: 2,
        options: [
          .value("socket", "PATH", "the board's socket; otherwise in the runtime directory")
        ],
        details: [
          "A short press lasts 120 ms, a long one half a second longer than a long press takes (the daemon knows that, "
            + "otherwise 2 s). MS is a number of milliseconds."
        ],
        examples: ["binnacle press HOME", "binnacle press SERVICES long"],
        action: { words, commands in
          try PressCommand(words).run(runtimeDirectory: commands.runtimeDirectory)
        }),
    ]
  }

  /// Refuses two forms of one output.
  private static func choose(
    _ options: [String], _ words: Arguments, of verb: String
  ) throws(Arguments.UsageError) {
    let chosen = options.filter { words.has($0) || words.value($0) != nil }
    if chosen.count > 1 {
      throw .init(
        "\(verb): choose one of " + chosen.map { "--\($0)" }.joined(separator: " and "))
    }
  }

  private static func isOn(_ words: Arguments) throws(Arguments.UsageError) -> Bool? {
    switch words.positionals.first {
    case "on": return true
    case "off": return false
    case nil: return nil
    case let word?: throw .init("services: '\(word)' is neither on nor off")
    }
  }

  // MARK: Rights of apps

  private static func list(
    _ name: String, _ summary: String, _ request: ConsentRequest, empty: String
  ) -> Row {
    Row(
      name, summary, options: [jsonLines],
      examples: ["binnacle \(name)", "binnacle \(name) --json"],
      action: { words, commands in
        try commands.list(request, isJSON: words.has("json"), empty: empty)
      })
  }

  private static func change(
    _ name: String, _ summary: String, details: [String] = [],
    _ request: @escaping (String) -> ConsentRequest
  ) -> Row {
    Row(
      name, summary, operands: "APP", operandsMax: 1, operandNames: .apps, details: details,
      examples: ["binnacle \(name) org.example.tracker"],
      action: { words, commands in
        try commands.change(request(try app(words, of: name)), verb: name)
      })
  }

  private static func app(
    _ words: Arguments, of verb: String
  ) throws(Arguments.UsageError) -> String {
    guard let app = words.positionals.first, !app.isEmpty else {
      throw .init("\(verb): name an app; 'binnacle apps' lists the apps")
    }
    return app
  }

  private static var rights: [Row] {
    [
      list("apps", "the apps, their state and their authorization", .apps, empty: "no apps"),
      list(
        "grants", "the answers of persons to the requests of apps", .grants, empty: "no answers"),
      list(
        "who", "the apps and tools that use locations now", .who,
        empty: "locations are not used now"
      ),
      Row(
        "audit", "the use of locations by apps in the background",
        options: [
          jsonLines,
          .value("since", "TIME", "leave out what ended before TIME, such as 2026-09-21"),
        ],
        details: [
          "Each row is an epoch: the app, its beginning and end, its right, the locations that it got, and whether the "
            + "indicator was read back lit. The latest 128 epochs are kept."
        ],
        examples: ["binnacle audit", "binnacle audit --since 2026-09-21T06:00:00Z --json"],
        action: { words, commands in
          try commands.audit(since: words.value("since"), isJSON: words.has("json"))
        }),
      Row(
        "prompts", "the open requests of apps",
        options: [jsonLines, .flag("follow", "print each request as it comes and goes")],
        details: ["With --follow it waits for the daemon's reports until it is interrupted."],
        examples: ["binnacle prompts", "binnacle prompts --follow --json"],
        action: { words, commands in
          let isJSON = words.has("json")
          return try words.has("follow")
            ? commands.followPrompts(isJSON: isJSON) : commands.prompts(isJSON: isJSON)
        }),
      Row(
        "allow", "allow an app to get locations", operands: "APP [whenInUse|always] [full|reduced]",
        operandsMax: 3, operandNames: .apps,
        details: [
          "APP is the name in 'binnacle apps', or a beginning of it that no other app has. Without an authorization, "
            + "the app gets the authorization that it requests. With reduced accuracy the app gets the center of a cell "
            + "of 5 km, at most every 15 minutes. The grant counts after it is stored.",
          "A reader of a door of the board's profile is door.nmea:UID at the socket, door.nmea:tty at the terminal.",
        ],
        examples: [
          "binnacle allow org.example.tracker", "binnacle allow org.ex always reduced",
          "binnacle allow door.nmea:tty",
        ],
        action: { words, commands in
          let app = try app(words, of: "allow")
          return try commands.change(try allowing(app, words), verb: "allow")
        }),
      change(
        "deny", "deny locations to an app",
        details: ["The denial also counts if the log of state cannot keep it."], { .deny(app: $0) }),
      change(
        "reset", "forget the answer for an app, so that the app may ask again", { .reset(app: $0) }
      ),
      change(
        "start", "start an app of a manifest, in the foreground",
        details: [
          "The launcher starts the program of the manifest as the user of the manifest. The app is suspended in the "
            + "background while it has nothing to do, and launched again for locations that it has a right to."
        ],
        { .start(app: $0) }),
      change(
        "quit", "close an app: its sessions end, and nothing launches it until it is started",
        { .quit(app: $0) }),
      Row(
        "output", "the latest lines that an app of the launcher has printed", operands: "APP",
        operandsMax: 1, operandNames: .apps,
        options: [
          jsonLines, .flag("follow", letter: "f", "then each further line, until interrupted"),
        ],
        details: [
          "The daemon keeps the last 200 lines of standard output and error of each app that the launcher has started, at most "
            + "200 lines a minute; it counts the lines that it drops."
        ],
        examples: [
          "binnacle output org.example.tracker", "binnacle output org.example.tracker -f --json",
        ],
        action: { words, commands in
          try commands.output(
            of: try app(words, of: "output"), isFollowed: words.has("follow"),
            isJSON: words.has("json"))
        }),
      change("foreground", "bring an app to the foreground", { .foreground(app: $0) }),
      change("background", "move an app to the background", { .background(app: $0) }),
      Row(
        "home", "do what the button HOME does: app to the background, or last app back",
        examples: ["binnacle home"],
        action: { _, commands in try commands.change(.home, verb: "home") }),
    ]
  }

  private static func allowing(
    _ app: String, _ words: Arguments
  ) throws(Arguments.UsageError) -> ConsentRequest {
    var (allowance, isReduced): (ConsentRequest.Allowance?, Bool?)
    for word in words.positionals.dropFirst() {
      switch word {
      case "whenInUse" where allowance == nil: allowance = .whenInUse
      case "always" where allowance == nil: allowance = .always
      case "full" where isReduced == nil: isReduced = false
      case "reduced" where isReduced == nil: isReduced = true
      case _:
        throw .init(
          "allow: '\(word)' is not one authorization (whenInUse, always) or accuracy (full, reduced)"
        )
      }
    }
    return .allow(app: app, allowance, isReduced: isReduced)
  }

  // MARK: State

  private static func row(
    _ name: String, _ summary: String, operands: String = "", operandsMax: Int = 0,
    operandValues: [String] = [], options: [VerbOption] = [], details: [String] = [],
    examples: [String] = [],
    _ command: @escaping (Arguments) throws -> StateCommand
  ) -> Row {
    Row(
      name, summary, operands: operands, operandsMax: operandsMax, operandValues: operandValues,
      options: options, details: details, examples: examples,
      action: { words, commands in try command(words).run(commands) })
  }

  private static let show: [VerbOption] = [
    json, .flag("coordinates", "with positions"), stateDirectory,
  ]

  private static var state: [Row] {
    [
      row(
        "state", "list what is kept: type, class, bytes, and what it says", options: show,
        details: [
          "It comes from the daemon, or without one from its log. Positions are shown only with --coordinates."
        ],
        examples: ["binnacle state", "binnacle state --json --coordinates"], StateCommand.showing),
      row("state show", "the same as 'binnacle state'", options: show, StateCommand.showing),
      row(
        "state backup", "save it, as a log of state; the daemon may run", operands: "[FILE]",
        operandsMax: 1, options: [stateDirectory],
        examples: ["binnacle state backup /media/usb/board.log"], StateCommand.backingUp),
      row(
        "state restore", "put a log in the place of the daemon's", operands: "FILE", operandsMax: 1,
        options: [
          .flag("force", "also a log of another board, and what is left of a damaged one"),
          stateDirectory,
        ],
        details: ["The daemon must not run. Its log is set aside."],
        examples: ["sudo binnacle state restore /media/usb/board.log"], StateCommand.restoring),
      row(
        "state erase", "forget it, at once and for good; done when this ends",
        operands: "all|sequences|defaults [APP]|fix|database|counters|tracks", operandsMax: 2,
        operandValues: EraseSubject.words,
        examples: [
          "binnacle state erase tracks", "binnacle state erase defaults org.example.tracker",
        ],
        StateCommand.erasing),
      row(
        "state accept", "accept that part of what is kept is lost; for root only",
        details: [
          "'binnacle status' then shows state.damage. What is left counts from then on."
        ],
        examples: ["sudo binnacle state accept"], { _ in .accept }),
      row(
        "state check", "look at a log of state, such as one of a card from another board",
        operands: "FILE", operandsMax: 1, options: [json],
        examples: ["binnacle state check state.log"], StateCommand.checking),
      row(
        "state prepare", "make a raw partition ready to be State= of a profile",
        operands: "DEVICE", operandsMax: 1,
        options: [.flag("force", "destroy what is on the partition")],
        examples: ["sudo binnacle state prepare /dev/mmcblk0p3"], StateCommand.preparing),
    ]
  }

  // MARK: Records

  private static var records: [Row] {
    [
      Row(
        "writes", "what was written for what is kept, by hour and class", options: [json],
        details: ["It also shows what the kernel counted."], examples: ["binnacle writes"],
        action: { words, commands in try commands.writes(isJSON: words.has("json")) }),
      Row(
        "track", "where the board was, if its profile has that kept (Track=), or a recording",
        operands: "[FILE]", operandsMax: 1,
        options: [
          .value(
            "since", "WHEN", "2026-11-21, 2026-11-21T10:15:00Z, or an age: 90min, 2h, 3d"),
          .value("last", "DURATION", "the same as --since with an age: 90min, 2h, 3d"),
          jsonLines, .value("svg", "OUT", "a drawing in this file; - is standard output"),
          .flag("gpx", "one GPX 1.1 document"), .flag("kml", "one KML 2.2 document"),
          .flag("geojson", "one GeoJSON object"),
          .value(
            "output", "OUT", letter: "o", "the file for the output; otherwise standard output"),
          .value("state", "DIR", "where the daemon keeps its state"),
        ],
        details: [
          "The stored track is for root and the daemon's own user. FILE is a recording of receiver bytes as for "
            + "'binnacle decode'; - is standard input.",
          "The drawing has a plain grid with scale and north. The color of the line is the speed; pauses, gaps, marks and the "
            + "accuracy have symbols.",
        ],
        examples: [
          "binnacle track --last 2h --svg track.svg", "binnacle track --gpx -o track.gpx",
          "binnacle track board.ubx --svg board.svg",
        ],
        action: { words, _ in try TrackCommand(words).run() }),
      Row(
        "report", "one page about the board for a browser: track, satellites, day, facts",
        operands: "[FILE]", operandsMax: 1,
        options: [
          .value("html", "OUT", "the file of the page; - is standard output"),
          .value("last", "DURATION", "the length of the stored track; otherwise 24h"),
          .value("since", "WHEN", "the start of the track, as for 'binnacle track'"),
          .value("state", "DIR", "where the daemon keeps its state"),
        ],
        details: [
          "The page needs no network: it loads nothing. It contains positions. FILE is a recording whose track is shown in place "
            + "of the stored track. A part that cannot be had is in the page with the reason."
        ],
        examples: ["sudo binnacle report --html board.html"],
        action: { words, commands in try ReportCommand(words).run(commands) }),
      Row(
        "trace", "save what the flight recorder holds; binnacle-sim replays it",
        options: [.value("output", "FILE", letter: "o", "where; otherwise standard output")],
        examples: ["binnacle trace -o board.trace"],
        action: { words, commands in try commands.trace(output: words.value("output")) }),
    ]
  }

  // MARK: Tools

  private static var tools: [Row] {
    [
      Row(
        "decode", "print the epochs of recorded receiver bytes as JSON", operands: "FILE...",
        operandsMax: Int.max, options: [.flag("frames", "the frames instead of the epochs")],
        details: DecodeCommand.details,
        examples: ["binnacle decode board.ubx", "binnacle decode --frames -"],
        action: { words, _ in
          var command = try DecodeCommand(words)
          return command.run()
        }),
      Row(
        "version", "print the version", options: [json],
        examples: ["binnacle version", "binnacle version --json"],
        action: { words, _ in
          var object = JSONObject()
          object.add("binnacle", Release.version)
          let text = words.has("json") ? object.text : "binnacle \(Release.version)"
          return Output.print(text) ? .success : .failure
        }),
    ]
  }
}
