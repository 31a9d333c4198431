import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle top` on a pseudo-terminal of a fixed size, with a person who types and looks.
final class TopUnderTest {
  let directory: TemporaryDirectory
  let daemon: AnsweringDaemon?
  let terminal: PseudoTerminal
  /// The settings of the terminal before the view.
  let settingsBefore: Terminal.Settings
  let child: ChildProcess
  private(set) var screen: TestGrid
  /// All bytes that the view has printed.
  private(set) var printed: [UInt8] = []
  let startedAt: Instant
  private let far: FileDescriptor

  /// Starts the view; with `isConsole` it is a command of a console.
  init(
    columns: UInt16 = 80, rows: UInt16 = 24, kind: String = "xterm",
    variables: [String: String] = [:],
    hasDaemon: Bool = true, isConsole: Bool = false, directory: TemporaryDirectory? = nil,
    prepare: (AnsweringDaemon) -> Void = TopBoard.prepare
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    daemon = hasDaemon ? try AnsweringDaemon(in: self.directory.path) : nil
    if let daemon { prepare(daemon) }
    terminal = try PseudoTerminal(speed: 38_400)
    far = try FileDescriptor.open(terminal.farEndName, 0o400 | 2)
    Terminal(borrowing: far.number).setWindow(.init(columns: columns, rows: rows))
    settingsBefore = try Terminal(borrowing: far.number).settings()
    screen = TestGrid(columns: Int(columns), rows: Int(rows))
    let environment = [
      "TERM": kind, "HOME": self.directory("home"), "PATH": Environment.value("PATH") ?? "",
    ].merging(variables) { $1 }
    startedAt = Clock.now
    child = try ChildProcess(
      Programs.path("binnacle"), [isConsole ? "console" : "top", "--runtime", self.directory.path],
      environment: environment, input: .descriptor(far.number), output: .descriptor(far.number),
      errorOutput: .null)
  }

  /// The settings of the terminal now.
  var settings: Terminal.Settings {
    get throws { try Terminal(borrowing: far.number).settings() }
  }

  func type(_ text: String) throws { _ = try terminal.write(Array(text.utf8)[...]) }

  /// Reads what was printed, and lets the daemon work.
  func read() throws {
    try daemon?.work()
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while let count = try terminal.read(into: &chunk), count > 0 {
      printed += chunk[..<count]
      screen.take(Array(chunk[..<count]))
    }
  }

  /// Waits until the screen is as wanted.
  func sees(_ condition: (TestGrid) -> Bool) throws -> Bool {
    try eventually {
      try self.read()
      return condition(self.screen)
    }
  }

  func sees(_ text: String) throws -> Bool { try sees { $0.text.contains(text) } }

  /// Everything that was printed.
  var text: String { String(decoding: printed, as: UTF8.self) }

  /// Waits for text in the output.
  func prints(_ text: String) throws -> Bool { try sees { _ in self.text.contains(text) } }

  /// Whether the whole view is on the screen.
  func seesView() throws -> Bool {
    try sees { $0.lines[$0.rows - 1].hasPrefix("q quits") && $0.lines[0].hasPrefix("binnacle top") }
  }

  func resize(columns: UInt16, rows: UInt16) {
    Terminal(borrowing: far.number).setWindow(.init(columns: columns, rows: rows))
    screen.resize(columns: Int(columns), rows: Int(rows))
    child.signal(.windowChanged)
  }

  /// Waits for the end, and reads the last bytes.
  func ending() throws -> ChildProcess.Ending? {
    var ending: ChildProcess.Ending?
    _ = try eventually {
      try self.read()
      ending = try self.child.wait(limit: .zero)
      return ending != nil
    }
    try read()
    return ending
  }
}

/// A board for the tests of `binnacle top`.
enum TopBoard {
  static func verdict(_ app: String, receives: Bool) -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowReceives, receives)
    row.add(.rowFlags, "")
    return row
  }

  static func reason(_ app: String, _ text: String, change: String) -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowKey, "authorization")
    row.add(.rowHolds, false)
    row.add(.rowText, text)
    row.add(.rowChange, change)
    return row
  }

  static let sky: Sky = {
    let levels: [(Satellite.Constellation, [Int])] = [
      (.gps, [48, 46, 44, 41, 38, 33, 29, 18]), (.glonass, [42, 40, 36, 22]),
      (.galileo, [47, 45, 43, 39, 31]), (.beidou, [44, 40, 12]),
    ]
    let satellites = levels.flatMap { constellation, list in
      list.enumerated().map { index, level in
        Satellite(
          constellation: constellation, number: index + 1, carrierToNoiseDBHz: level,
          isUsed: level >= 30)
      }
    }
    return Sky(
      horizontalDilution: 0.71, verticalDilution: 1.02, positionDilution: 1.24,
      satellites: satellites)
  }()

  static func prepare(_ daemon: AnsweringDaemon) {
    var report = ConsolePageTests.report
    report.add(.fixHorizontalAccuracy, 2.1)
    report.add(.fixTime, "2026-11-24T10:15:31Z")
    report.add(.powerSince, 3_600)
    report.add(.powerUserName("1"), "org.example.tracker")
    report.add(.lampState("indicator"), "lit")
    report.add(.stateKept, true)
    report.add(.stateRecords, 12)
    report.add(.lifeCounter("written_bytes"), 34_816)
    daemon.report = report
    daemon.settings = [ConsolePageTests.setting("Board", "Name", "board", "drop-in", nil)]
    daemon.sky = sky
    daemon.reasons = [
      verdict("org.example.tracker", receives: true), verdict("org.example.route", receives: false),
      reason(
        "org.example.route", "org.example.route may not use your location: it was denied.",
        change: "binnacle allow org.example.route"),
    ]
    daemon.log = [
      ConsolePageTests.logged(
        "10:15:02.114", "notice", "daemon: version \(Release.version), receiver at /dev/ttyAMA0"),
      ConsolePageTests.logged("10:15:31.870", "warning", "receiver: reports jamming"),
    ]
  }
}
