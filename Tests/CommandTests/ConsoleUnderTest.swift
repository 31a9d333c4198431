import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle console` on a pseudo-terminal, with a person who types and reads.
final class ConsoleUnderTest {
  let directory: TemporaryDirectory
  let daemon: AnsweringDaemon?
  private(set) var terminal: PseudoTerminal
  private(set) var child: ChildProcess
  private(set) var screen: TestScreen
  /// All bytes that the console has printed.
  private(set) var printed: [UInt8] = []

  /// Starts a console of a kind of terminal; with `device` the console opens the line itself.
  init(
    _ words: [String] = [], kind: String = "vt102", hasDaemon: Bool = true, device: Bool = false,
    directory: TemporaryDirectory? = nil, runtime: String? = nil,
    prepare: (AnsweringDaemon) -> Void = { _ in }
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    daemon = hasDaemon ? try AnsweringDaemon(in: self.directory.path) : nil
    if let daemon { prepare(daemon) }
    terminal = try PseudoTerminal(speed: 9_600)
    screen = TestScreen()
    let far = try FileDescriptor.open(terminal.farEndName, 0o400 | 2)
    Terminal(borrowing: far.number).setWindow(.init(columns: 80, rows: 24))
    let environment = [
      "TERM": kind, "HOME": self.directory("home"), "PATH": Environment.value("PATH") ?? "",
    ]
    let place = device ? ["--device", self.directory("line")] : []
    if device { try Files.makeLink(self.directory("line"), to: terminal.farEndName) }
    child = try ChildProcess(
      Programs.path("binnacle"),
      ["console", "--runtime", runtime ?? self.directory.path] + place + words,
      environment: environment, input: device ? .null : .descriptor(far.number), output: .null,
      errorOutput: .null)
  }

  /// Types bytes as they are.
  func type(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    let isTaken = try eventually {
      try self.read()
      rest = rest.dropFirst((try? self.terminal.write(rest)).flatMap(\.self) ?? 0)
      return rest.isEmpty
    }
    #expect(isTaken, "the console has stopped reading")
  }

  func type(_ text: String) throws { try type(Array(text.utf8)) }

  /// Reads what the console has printed, and lets the daemon work.
  func read() throws {
    try daemon?.work()
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while let count = try terminal.read(into: &chunk), count > 0 {
      printed += chunk[..<count]
      screen.take(Array(chunk[..<count]))
    }
  }

  /// The pace of the output at 9600 baud, from a moment on.
  struct Pace {
    let start: Instant
    fileprivate let printedBefore: Int

    func count(of console: ConsoleUnderTest) -> Int { console.printed.count - printedBefore }

    /// Whether the console has printed at most 960 bytes a second, and a quarter of a second at once.
    func isKept(by console: ConsoleUnderTest) -> Bool {
      Double(count(of: console)) <= 960 * (Clock.now - start).seconds + 240
    }
  }

  /// Bytes that were on the way before this moment do not count.
  func startMeasuringPace() throws -> Pace {
    let start = Clock.now
    try read()
    return Pace(start: start, printedBefore: printed.count)
  }

  /// Waits until the screen is as wanted.
  func sees(
    within limit: Interval = .seconds(60), _ condition: @escaping (TestScreen) -> Bool
  ) throws -> Bool {
    try eventually(within: limit) {
      try self.read()
      return condition(self.screen)
    }
  }

  /// Waits for text anywhere on the screen.
  func sees(_ text: String) throws -> Bool { try sees { $0.text.contains(text) } }

  /// Waits for a sentence, which may be folded.
  func seesSentence(_ text: String) throws -> Bool {
    try sees { $0.text.replacing("\n", with: " ").contains(text) }
  }

  /// Waits for a prompt with nothing behind it.
  func seesPrompt(_ word: String = "") throws -> Bool {
    try sees { $0.currentRow.hasSuffix("\(word)>") }
  }

  func setWindow(columns: UInt16) {
    Terminal(borrowing: terminal.descriptor).setWindow(.init(columns: columns, rows: 24))
  }

  /// Pulls the cable; the console loses its line.
  func unplug() throws {
    try Files.remove(directory("line"))
    terminal = try PseudoTerminal(speed: 9_600)
  }

  /// Plugs the cable in again: the line has its name again.
  func plug() throws {
    screen = TestScreen()
    try Files.makeLink(directory("line"), to: terminal.farEndName)
  }
}
