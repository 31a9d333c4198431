import BinnacleBasics
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// `binnacle doctor --interactive` on a virtual board, with a terminal and a hand that answers and presses.
struct InteractiveDoctorTests {
  /// The command on a terminal, and the board that it tries.
  private final class Session {
    let directory: TemporaryDirectory
    let board: RunningBoard
    let terminal: PseudoTerminal
    let doctor: ChildProcess
    private var said: [UInt8] = []
    private var heard = 0
    private var found: [UInt8] = []

    init() throws {
      directory = try TemporaryDirectory()
      board = try RunningBoard(path: directory("board.sock"))
      terminal = try PseudoTerminal()
      let end = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
      doctor = try ChildProcess(
        Programs.path("binnacle"),
        [
          "doctor", "--interactive", "--board", TestData.packageRoot + "/boards/virtual.conf",
          "--receiver", "/dev/no-such-device", "--runtime", directory.path,
        ],
        input: .descriptor(end.number), output: .pipe, errorOutput: .pipe)
    }

    /// Waits for words on the terminal behind those that were heard last.
    func hear(_ words: String, within limit: Interval = .seconds(60)) throws -> Bool {
      var chunk = [UInt8](repeating: 0, count: 4_096)
      return try eventually(within: limit) {
        while let count = try doctor.readErrors(into: &chunk), count > 0 { said += chunk[..<count] }
        let text = String(decoding: said[heard...], as: UTF8.self)
        guard let place = text.firstRange(of: words) else { return false }
        heard += text[..<place.upperBound].utf8.count
        return true
      }
    }

    func type(_ text: String) throws { _ = try terminal.write(Array((text + "\n").utf8)[...]) }

    func press(_ words: [String]) throws {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"), ["press"] + words + ["--runtime", directory.path])
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    }

    /// Presses until that is seen: on a machine that is busy a press may last longer than it should.
    func press(_ words: [String], untilSeen sight: String) throws -> Bool {
      for _ in 0..<20 {
        try press(words)
        if try hear("seen: a \(sight) press", within: .seconds(2)) { return true }
      }
      return false
    }

    /// The standard output after the end, and the exit status.
    func finish() throws -> (status: ChildProcess.Ending?, lines: [Substring]) {
      let (status, output, _) = try doctor.finish()
      return (status, output.split(separator: "\n"))
    }

    /// Whether a line of the board is high, and who has it.
    func level(of line: String) throws -> BoardEye.Level {
      try BoardEye(directory("board.sock")).level(of: line)
    }
  }

  private func tryHome(_ session: Session) throws {
    #expect(try session.hear("Press HOME (GPIO5) for less than 800 ms"))
    #expect(try session.press(["HOME", "short"], untilSeen: "short"))
    #expect(try session.hear("Hold HOME (GPIO5) for more than 2 s"))
    #expect(try session.press(["HOME", "long"], untilSeen: "long"))
    #expect(try session.hear("Press HOME (GPIO5) twice within 400 ms"))
    #expect(try session.press(["HOME", "double"], untilSeen: "double"))
  }

  @Test func lampsAreLitAndPressesAreSeen() throws {
    let session = try Session()
    #expect(try session.hear("Is the indicator (GPIO23) lit? [Y/n]"))
    #expect(try session.level(of: "GPIO23") == .init(isHigh: true, consumer: "binnacle doctor"))
    try session.type("")
    #expect(try session.hear("Is it dark now? [Y/n]"))
    #expect(try session.level(of: "GPIO23").isHigh == false)
    try session.type("what")
    #expect(try session.hear("n for no"))
    try session.type("y")
    #expect(try session.hear("Is the status light (GPIO24) lit?"))
    try session.type("no")
    #expect(try session.hear("Is it dark now?"))
    try session.type("yes")
    try tryHome(session)
    #expect(try session.hear("Press ALLOW (GPIO6)"))
    try session.type("")
    let (status, lines) = try session.finish()
    #expect(status == .exited(1))
    let panel = lines.indices.filter { lines[$0].contains(" of sim:") }
    try #require(panel.count == 2, "\(lines)")
    let lamp = lines[panel[0]]
    #expect(lamp.hasPrefix("fault: GPIO24 of sim:\(session.directory("board.sock")): "))
    #expect(lamp.hasSuffix("the status light is not seen lit"))
    #expect(lines[panel[1]].hasSuffix("button ALLOW: no press was seen"))
    for finding in panel { #expect(lines[finding + 1].hasPrefix("  mend: ")) }
    for line in ["GPIO23", "GPIO24", "GPIO5", "GPIO6"] {
      #expect(try session.level(of: line).consumer == "", "\(line)")
    }
  }

  @Test func anInterruptedTrialLeavesTheLampDark() throws {
    let session = try Session()
    #expect(try session.hear("Is the indicator (GPIO23) lit?"))
    #expect(try session.level(of: "GPIO23").isHigh)
    session.doctor.signal(.interrupt)
    let (status, _) = try session.finish()
    #expect(status == .exited(1))
    #expect(try session.level(of: "GPIO23") == .init(isHigh: false, consumer: ""))
  }

  /// A board whose lamps keep their level when no process holds their lines.
  @Test func anInterruptedTrialTurnsTheLampOffBeforeItReleasesTheLine() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBoard(path: directory("board.sock"))
    let profile = directory("mine.conf")
    try Files.writeAtomically(
      Array("[Board]\nGPIO=sim:board.sock\n[StatusLED]\nLine=LAMP\n".utf8), to: profile)
    let terminal = try PseudoTerminal()
    let end = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
    let doctor = try ChildProcess(
      Programs.path("binnacle"),
      [
        "doctor", "--interactive", "--board", profile, "--receiver", "/dev/no-such-device",
        "--runtime", directory.path,
      ],
      input: .descriptor(end.number), output: .pipe, errorOutput: .pipe)
    #expect(try board.welcome()?.consumer == "binnacle doctor")
    let lighting = try board.hear()
    #expect(lighting == .set(ticket: 1, isActive: true))
    try board.say(.value(ticket: 1, isActive: true))
    doctor.signal(.interrupt)
    let parting = try board.hear()
    #expect(parting == .set(ticket: 2, isActive: false))
    try board.say(.value(ticket: 2, isActive: false))
    #expect(try doctor.finish().status == .exited(1))
  }

  @Test func aDaemonThatHasTheLinesIsToBeStoppedFirst() throws {
    let directory = try TemporaryDirectory()
    let receiver = try RunningReceiver(path: directory("gnss"))
    let runtime = directory("runtime")
    try Files.makeDirectory(runtime, mode: 0o700)
    let board = try RunningBoard(path: runtime + "/board.sock")
    let profile = TestData.packageRoot + "/boards/virtual.conf"
    let daemon = try RunningDaemon(
      receiver: directory("gnss"), directory: directory, arguments: ["--board", profile])
    #expect(
      try eventually {
        try BoardEye(runtime + "/board.sock").level(of: "GPIO6").consumer.hasPrefix("binnacle ")
      })
    let terminal = try PseudoTerminal()
    let end = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
    let doctor = try ChildProcess(
      Programs.path("binnacle"),
      ["doctor", "--interactive", "--board", profile, "--runtime", runtime],
      input: .descriptor(end.number), output: .pipe, errorOutput: .pipe)
    let (status, output, _) = try doctor.finish()
    #expect(status == .exited(1))
    let lines = output.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains("lights and buttons") }, "\(output)")
    #expect(lines[place].contains("the daemon has them: GPIO23"), "\(output)")
    let remedy = lines.dropFirst(place + 1).first ?? ""
    #expect(
      remedy.contains("kill \(daemon.process.processID), and start it again"), "\(output)")
    _ = (board, receiver)
  }

  @Test func withoutATerminalItStatesThatItNeedsOne() throws {
    let outcome = try ChildProcess.run(Programs.path("binnacle"), ["doctor", "--interactive"])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errorText.contains("standard input is no terminal"))
  }
}
