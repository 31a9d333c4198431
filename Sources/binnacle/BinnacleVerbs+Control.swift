import BinnacleModel
import BinnaclePosix
import BinnacleText
import Verbs

/// The rows of the verbs that change something: services, buttons, and the rights of apps.
extension BinnacleVerbs {
  // MARK: Control

  static var steering: [Row] {
    [
      Row(
        "services", "turn location services on or off for every program, or show their state",
        operands: "[on|off]", operandsMax: 1, operandValues: ["on", "off"],
        console: .unlocked,
        examples: ["binnacle services", "binnacle services off"],
        action: { words, commands in try commands.services(isOn: try isOn(words)) }),
      Row(
        "press", "press a button of a virtual board", operands: "BUTTON [short|long|double|MS]",
        operandsMax: 2,
        options: [
          .value("socket", "PATH", "the board's socket; otherwise in the runtime directory")
        ],
        console: .no,
        details: [
          "A short press lasts 120 ms, a long one half a second longer than a long press takes (the daemon knows that, "
            + "otherwise 2 s). MS is a number of milliseconds."
        ],
        examples: ["binnacle press HOME", "binnacle press ALLOW long"],
        action: { words, commands in
          try PressCommand(words).run(runtimeDirectory: commands.runtimeDirectory)
        }),
    ]
  }

  /// Refuses two forms of one output.
  static func choose(
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
    _ name: String, _ summary: String, _ request: ConsentRequest, keys: [ReportCatalog.Entry],
    empty: String, own: String
  ) -> Row {
    Row(
      name, summary, options: [jsonLines], console: .yes,
      examples: ["binnacle \(name)", "binnacle \(name) --json"],
      action: { words, commands in
        try commands.list(
          request, keys: keys, isJSON: words.has("json"),
          empty: Commands.EmptyList(all: empty, own: own))
      })
  }

  private static func change(
    _ name: String, _ summary: String, details: [String] = [],
    _ request: @escaping (String) -> ConsentRequest
  ) -> Row {
    Row(
      name, summary, operands: "APP", operandsMax: 1, operandNames: .apps, options: [json],
      console: .unlocked, details: details,
      examples: ["binnacle \(name) org.example.tracker"],
      action: { words, commands in
        try commands.change(
          request(try app(words, of: name)), verb: name, isJSON: words.has("json"))
      })
  }

  static func app(
    _ words: Arguments, of verb: String
  ) throws(Arguments.UsageError) -> String {
    guard let app = words.positionals.first, !app.isEmpty else {
      throw .init("\(verb): name an app; 'binnacle apps' lists the apps")
    }
    return app
  }

  static var rights: [Row] {
    [
      list(
        "apps", "the apps, their state and their authorization", .apps,
        keys: RowCatalog.apps, empty: "no apps", own: "no apps of yours"),
      list(
        "grants", "the answers of persons to the requests of apps", .grants,
        keys: RowCatalog.grants, empty: "no answers", own: "no answers about apps of yours"),
      list(
        "who", "the apps and tools that use locations now", .who, keys: RowCatalog.who,
        empty: "locations are not used now", own: "no app of yours uses locations now"),
      Row(
        "audit", "the use of locations by apps in the background, and unlocked consoles",
        options: [
          jsonLines,
          .value(
            "since", "WHEN",
            "leave out what ended before this time: 2026-11-21, 2026-11-21T10:15:00Z, or an age: 90min, 2h, 3d"
          ),
        ],
        console: .yes,
        details: [
          "Each row is an epoch: the app, its beginning and end, its right, the locations that it got, and whether the "
            + "indicator was read back lit. The latest 128 epochs are kept.",
          "Then come the latest 32 times in which a console was unlocked, by its PIN or by a person at the board, and series of "
            + "wrong PINs.",
        ],
        examples: ["binnacle audit", "binnacle audit --since 2026-09-21T06:00:00Z --json"],
        action: { words, commands in
          try commands.audit(
            since: try TrackCommand.since(words, isRecording: false)?.start,
            isJSON: words.has("json"))
        }),
      Row(
        "prompts", "the open requests of apps",
        options: [jsonLines, .flag("follow", "print each request as it comes and goes")],
        console: .yes,
        details: [
          "With --follow it waits for the daemon's reports until it is interrupted, also while the daemon restarts."
        ],
        examples: ["binnacle prompts", "binnacle prompts --follow --json"],
        action: { words, commands in
          let isJSON = words.has("json")
          return try words.has("follow")
            ? commands.followPrompts(isJSON: isJSON) : commands.prompts(isJSON: isJSON)
        }),
      Row(
        "allow", "allow an app to get locations", operands: "APP [whenInUse|always] [full|reduced]",
        operandsMax: 3, operandNames: .apps, options: [json],
        console: .unlocked,
        details: [
          "APP is the name in 'binnacle apps', or a beginning of it that no other app has. Without further words, "
            + "the app gets what it requests, else it keeps the authorization that it has. With an accuracy alone it keeps the authorization, too. "
            + "An app without one gets whenInUse. With reduced accuracy the app gets the center of a cell "
            + "of 5 km, at most every 15 minutes. The grant counts after it is stored.",
          "A reader of a door of the board's profile is door.nmea:UID at the socket, door.nmea:tty at the terminal.",
        ],
        examples: [
          "binnacle allow org.example.tracker", "binnacle allow org.ex always reduced",
          "binnacle allow door.nmea:tty",
        ],
        action: { words, commands in
          let app = try app(words, of: "allow")
          return try commands.change(
            try allowing(app, words), verb: "allow", isJSON: words.has("json"))
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
        console: .unlocked,
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
        "home", "the app to the background, or the last app back, as by the button HOME",
        options: [json], console: .unlocked,
        examples: ["binnacle home"],
        action: { words, commands in
          try commands.change(.home, verb: "home", isJSON: words.has("json"))
        }),
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
      case "whenInUse", "always", "full", "reduced":
        throw .init(
          "allow: '\(word)' is one too many: only one authorization (whenInUse, always) and one "
            + "accuracy (full, reduced) can be named")
      case _:
        throw .init(
          "allow: '\(word)' is neither an authorization (whenInUse, always) nor an accuracy "
            + "(full, reduced)")
      }
    }
    return .allow(app: app, allowance, isReduced: isReduced)
  }
}
