import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc
import TestSupport
import Testing

/// `binnacle doctor` on the machine that the tests run on, whatever is wrong with that.
struct DoctorTests {
  /// Lets every user open a terminal: the doctor judges for the user of the service where that is installed.
  private func openToAll(_ path: String) throws { try #require(chmod(path, 0o666) == 0) }

  private func findings(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test func theDaemonsReportBecomesFindings() throws {
    let daemon = try ScriptedDaemon()
    let receiver = try PseudoTerminal()
    let path = receiver.farEndName
    try openToAll(path)
    // A program that another test starts at this moment has all that is open here until it runs.
    #expect(try eventually { !receiver.isFarEndOpen })
    let child = try daemon.start(["doctor", "--json", "--receiver", path])
    try daemon.welcome()
    guard case .request(let request, .status) = try daemon.hear() else {
      Issue.record("the daemon is not asked")
      return
    }
    let report = Report(items: [
      .init(name: "daemon.version", value: .text("0.0.9")),
      // Not one of the daemons that other tests run now.
      .init(name: "daemon.process_id", value: .integer(Int64(getpid()))),
      .init(name: "receiver.state", value: .text("no answer at any speed")),
      .init(name: "receiver.device", value: .text(path)),
    ])
    try daemon.say(.status(request: request, report))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(1))
    #expect(complaint == "")
    let lines = findings(output)
    #expect(
      lines.contains {
        $0.hasPrefix(
          "{\"finding\":\"receiver-silent\",\"severity\":\"fault\",\"subject\":\"\(path)\",\"text\":"
        )
      }, "\(output)")
    #expect(
      lines.contains { $0.hasPrefix("{\"finding\":\"daemon-other\",\"severity\":\"note\"") })
    #expect(lines.allSatisfy { $0.hasSuffix("\"}") })
  }

  /// The owner of the state directory can put links and pipes into it; the doctor of root opens none of them.
  @Test func aPipeOrALinkInTheStateDirectoryIsNotOpened() throws {
    let folder = try TemporaryDirectory()
    let secret = Array("a secret".utf8)
    try Files.writeAtomically(secret, to: folder.path + "/precious")
    try Files.makeDirectory(folder.path + "/state", mode: 0o700)
    for (index, name) in ["state.log", "state.mark", "tracks.log", "lock"].enumerated() {
      let path = folder.path + "/state/" + name
      #expect((index % 2 == 0 ? symlink("../precious", path) : mkfifo(path, 0o600)) == 0)
    }
    try #require(symlink("state", folder.path + "/link") == 0)
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["doctor", "--json", "--receiver", "/dev/no-such-device"])
    try daemon.welcome()
    guard case .request(let request, .status) = try daemon.hear() else {
      Issue.record("the daemon is not asked")
      return
    }
    let report = Report(items: [
      .init(name: "state.directory", value: .text(folder.path + "/link")),
      .init(name: "state.kept", value: .flag(true)),
    ])
    try daemon.say(.status(request: request, report))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(1))
    #expect(output.contains("no-such-device"))
    #expect(!output.contains("secret") && !complaint.contains("secret"))
    #expect(try Files.read(folder.path + "/precious") == secret)
    #expect(try Files.list(folder.path + "/state").count == 4)
  }

  @Test func withoutADaemonItReportsThatAndHowToStartOne() throws {
    let nowhere = try TemporaryDirectory().path + "/nowhere"
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"),
      ["doctor", "--runtime", nowhere, "--receiver", "/dev/no-such-device"], limit: .seconds(60))
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText == "")
    let lines = findings(outcome.text)
    #expect(lines.contains { $0.hasPrefix("fault: /dev/no-such-device: it is not there; ") })
    #expect(lines.contains { $0.contains("no daemon") })
  }

  @Test func aRemedyIsOneLineAlsoAtANarrowTerminal() throws {
    let directory = try TemporaryDirectory()
    let profile = directory(String(repeating: "long-", count: 20) + "name.conf")
    try Files.writeAtomically(Array("[Nonsense]\nKey=1\n".utf8), to: profile)
    let words = [
      "doctor", "--runtime", directory("nowhere"), "--board", profile, "--receiver",
      "/dev/no-such-device",
    ]
    let outcome = try ChildProcess.run(Programs.path("binnacle"), words, limit: .seconds(60))
    let remedies = findings(outcome.text).filter {
      $0.hasPrefix("  mend: ") && $0.contains(profile)
    }
    #expect(!remedies.isEmpty, "\(outcome.text)")
    let terminal = try PseudoTerminal()
    let far = try FileDescriptor.open(terminal.farEndName, O_RDWR | O_NOCTTY)
    Terminal(borrowing: far.number).setWindow(.init(columns: 80, rows: 24))
    let child = try ChildProcess(
      Programs.path("binnacle"), words, output: .descriptor(far.number), errorOutput: .null)
    var printed: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let areWhole = try eventually {
      while let count = try terminal.read(into: &chunk), count > 0 { printed += chunk[..<count] }
      let lines = String(decoding: printed, as: UTF8.self).split { $0.isNewline }
      return remedies.allSatisfy { lines.contains($0) }
    }
    #expect(areWhole)
    #expect(try child.wait(limit: .seconds(60)) == .exited(1))
  }

  @Test func aDaemonThatRefusesIsNoFault() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["doctor", "--json", "--receiver", "/dev/null"])
    try daemon.welcome()
    try daemon.say(.refused(.init(.notPermitted, "not you"), isFinal: true))
    let (_, output, _) = try child.finish()
    #expect(
      findings(output).contains {
        $0.hasPrefix("{\"finding\":\"daemon-refuses\",\"severity\":\"note\"")
      })
  }

  @Test func withoutADaemonTheReceiverItselfIsAsked() throws {
    let directory = try TemporaryDirectory()
    let receiver = try RunningReceiver(path: directory("gnss"))
    try openToAll(directory("gnss"))
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"),
      ["doctor", "--json", "--runtime", directory("nowhere"), "--receiver", directory("gnss")],
      limit: .seconds(120))
    #expect(outcome.ending == .exited(1))
    let lines = findings(outcome.text)
    #expect(
      lines.contains {
        $0.hasPrefix("{\"finding\":\"receiver-answers\"") && $0.contains("u-blox")
      }, "\(outcome.text)")
    try receiver.unplug()
  }

  @Test(arguments: [
    (
      ["--chips", "lis3dh=0x19"], "\"accelerometer-found\",\"severity\":\"note\"",
      " address 0x19\",\"text\":\"the accelerometer is a LIS3DH\""
    ),
    (
      ["--chips", ""], "\"accelerometer-missing\",\"severity\":\"fault\"",
      "\"text\":\"no accelerometer answers\""
    ),
  ])
  func withoutADaemonTheAccelerometerItselfIsAsked(
    chips: [String], finding: String, text: String
  ) throws {
    let directory = try TemporaryDirectory()
    let board = try RunningBoard(path: directory("board.sock"), arguments: chips)
    let profile = directory("mine.conf")
    try Files.writeAtomically(
      Array("[Board]\nI2C=sim:board.sock\n[Accelerometer]\nChip=auto\n".utf8), to: profile)
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"),
      [
        "doctor", "--json", "--runtime", directory.path, "--board", profile, "--receiver",
        "/dev/no-such-device",
      ])
    #expect(outcome.ending == .exited(1))
    let line = findings(outcome.text).first { $0.contains(finding) } ?? ""
    #expect(line.contains(text), "\(outcome.text)")
    _ = board
  }

  @Test func anInterruptedDoctorRestoresTheLine() throws {
    let directory = try TemporaryDirectory()
    let line = try PseudoTerminal()
    try openToAll(line.farEndName)
    let child = try ChildProcess(
      Programs.path("binnacle"),
      ["doctor", "--runtime", directory("nowhere"), "--receiver", line.farEndName],
      output: .pipe, errorOutput: .pipe)
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(try eventually { try line.read(into: &buffer) ?? 0 > 0 })
    child.signal(.interrupt)
    let (status, output, _) = try child.finish()
    #expect(status == .exited(0))
    #expect(output == "")
  }

  @Test(arguments: [
    ["doctor", "--board"], ["doctor", "--bored", "x"], ["doctor", "here"], ["doctor", "--json=1"],
    ["doctor", "--receiver", ""],
  ])
  func aWrongCommandLineIsStatus64(words: [String]) throws {
    let outcome = try ChildProcess.run(Programs.path("binnacle"), words)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errorText.hasPrefix("binnacle: "))
  }
}
