import BinnacleModel
import BinnaclePosix
import BinnacleText
import Verbs

/// The rows of the verbs about records: the state, tracks, pictures, and recordings.
extension BinnacleVerbs {
  // MARK: State

  private static func row(
    _ name: String, _ summary: String, operands: String = "", operandsMax: Int = 0,
    operandValues: [String] = [], options: [VerbOption] = [], console: ConsoleUse = .no,
    details: [String] = [], examples: [String] = [],
    _ command: @escaping (Arguments) throws -> StateCommand
  ) -> Row {
    Row(
      name, summary, operands: operands, operandsMax: operandsMax, operandValues: operandValues,
      options: options, console: console, details: details, examples: examples,
      action: { words, commands in try command(words).run(commands) })
  }

  private static let show: [VerbOption] = [
    jsonLines, .flag("coordinates", "with positions"), stateDirectory,
  ]

  static var state: [Row] {
    [
      row(
        "state", "list the stored records: type, commit class, size in bytes, value", options: show,
        details: [
          "The records come from the daemon; without a daemon, from its log. Positions are shown only with --coordinates."
        ],
        examples: ["binnacle state", "binnacle state --json --coordinates"], StateCommand.showing),
      row(
        "state show", "the same as 'binnacle state'", options: show,
        examples: ["binnacle state show --coordinates"], StateCommand.showing),
      row(
        "state backup", "save all stored records in a file; the daemon may run", operands: "[FILE]",
        operandsMax: 1, options: [stateDirectory],
        examples: ["binnacle state backup /media/usb/board.log"], StateCommand.backingUp),
      row(
        "state restore", "replace the daemon's log by a backup", operands: "FILE", operandsMax: 1,
        options: [
          .flag("force", "also a log of another board, or the readable records of a damaged log"),
          stateDirectory,
        ],
        details: [
          "The daemon must not run. Its log is set aside.",
          "While a daemon runs, the command only prints the commands that stop the daemon and restore the backup.",
        ],
        examples: ["sudo binnacle state restore /media/usb/board.log"], StateCommand.restoring),
      row(
        "state erase", "erase stored records permanently, before the command ends",
        operands: "all|sequences|defaults [APP]|fix|database|counters|tracks", operandsMax: 2,
        operandValues: EraseSubject.words, console: .unlocked,
        details: [
          "APP is the whole name, as 'binnacle state' lists it. If the app has no stored defaults, nothing is erased, and the "
            + "exit status is 65."
        ],
        examples: [
          "binnacle state erase tracks", "binnacle state erase defaults org.example.tracker",
        ],
        StateCommand.erasing),
      row(
        "state accept", "accept the loss of stored records (for an installed service: root only)",
        details: [
          "Use this command if 'binnacle status' reports state.damage. The remaining records are used from then on.",
          "If the decision about location services is lost, they stay off until "
            + "'binnacle services on'.",
        ],
        examples: ["sudo binnacle state accept"], { _ in .accept }),
      row(
        "state check", "check a log of state, such as the log on a card of another board",
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

  static var records: [Row] {
    [
      Row(
        "writes", "bytes and flushes of the stored records, by hour and class", options: [json],
        console: .yes,
        details: ["It also shows what the kernel counted."], examples: ["binnacle writes"],
        action: { words, commands in try commands.writes(isJSON: words.has("json")) }),
      Row(
        "track", "the track of the board (Track= in its profile) or of a recording",
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
          .value("state", "DIR", "where the track is; otherwise the daemon reports it"),
        ],
        console: .no,
        details: [
          "The stored track is for root and the daemon's own user. Without a daemon the command "
            + "reads the folder of your user's daemons, and standard error names the folder. FILE "
            + "is a recording of receiver bytes as for 'binnacle decode'; - is standard input.",
          "The drawing has a plain grid with scale and north. The color of the line is the speed; pauses, gaps, marks and the "
            + "accuracy have symbols.",
        ],
        examples: [
          "binnacle track --last 2h --svg track.svg", "binnacle track --gpx -o track.gpx",
          "binnacle track board.ubx --svg board.svg",
        ],
        action: { words, commands in try TrackCommand(words).run(commands) }),
      Row(
        "report", "one page about the board for a browser: track, satellites, day, facts, log",
        operands: "[FILE]", operandsMax: 1,
        options: [
          .value("html", "OUT", "the file of the page; - is standard output"),
          .value("last", "DURATION", "the length of the stored track; otherwise 24h"),
          .value("since", "WHEN", "the start of the track, as for 'binnacle track'"),
          .flag("without-coordinates", "a page for helpers: no track, no directions of satellites"),
          .value("state", "DIR", "where the track is; otherwise the daemon reports it"),
        ],
        console: .no,
        details: [
          "The page needs no network: it loads nothing. It contains positions unless --without-coordinates is given. FILE is a "
            + "recording whose track is shown in place of the stored track. An unavailable part is in the page with the reason.",
          "The page also has the findings of 'binnacle doctor' and the latest lines of the daemon's log. It has the names of "
            + "programs, users and files.",
        ],
        examples: [
          "sudo binnacle report --html board.html",
          "sudo binnacle report --without-coordinates --html help.html",
        ],
        action: { words, commands in try ReportCommand(words).run(commands) }),
      Row(
        "trace", "save the contents of the flight recorder, for 'binnacle-sim replay'",
        options: [.value("output", "FILE", letter: "o", "where; otherwise standard output")],
        console: .no,
        examples: ["binnacle trace -o board.trace"],
        action: { words, commands in try commands.trace(output: words.value("output")) }),
    ]
  }

  // MARK: Tools

  static var tools: [Row] {
    [
      Row(
        "decode", "print the epochs of recorded receiver bytes as JSON", operands: "FILE...",
        operandsMax: Int.max, options: [.flag("frames", "the frames instead of the epochs")],
        console: .no,
        details: DecodeCommand.details,
        examples: ["binnacle decode board.ubx", "binnacle decode --frames -"],
        action: { words, _ in
          var command = try DecodeCommand(words)
          return command.run()
        }),
      Row(
        "version", "print the version", options: [json],
        console: .yes,
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
