import BinnacleBasics
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// How `binnacled` ends.
struct DaemonCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ words: [String]) throws -> ChildProcess.Outcome {
    try ChildProcess.run(Programs.path("binnacled"), words, limit: .seconds(60))
  }

  /// Arguments of a daemon that could start.
  private var places: [String] {
    ["--receiver", "/dev/none", "--runtime", directory("run"), "--state", directory("state")]
  }

  private func profile(_ text: String) throws -> String {
    let path = directory("board.conf")
    try Files.writeAtomically(Array(text.utf8), to: path)
    return path
  }

  @Test(arguments: [["--nonsense"], ["--log-level", "loud"], ["--receiver"], []])
  func aWrongCommandLineIsStatus64(words: [String]) throws {
    let outcome = try run(words)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errorText.hasPrefix("binnacled: "))
  }

  @Test func aBadProfileIsStatus78AndStatesWhere() throws {
    let path = try profile("[Receiver]\nDevice=/dev/null\nRateMax=fast\n")
    for words in [["--check"], []] {
      let outcome = try run(["--board", path] + words)
      #expect(outcome.ending == .exited(78))
      #expect(outcome.errorText.contains("\(path):3: RateMax: "))
    }
  }

  @Test func aProfileThatIsNotThereIsStatus78() throws {
    for board in ["no-such-board", directory("none.conf")] {
      let outcome = try run(["--board", board, "--check"])
      #expect(outcome.ending == .exited(78))
      #expect(outcome.errorText.contains(board))
    }
  }

  @Test func checkTouchesNothingAndIsStatus0() throws {
    let path = try profile("[Receiver]\nDevice=/dev/none\n")
    let outcome = try run([
      "--board", path, "--check", "--runtime", directory("run"), "--state", directory("state"),
    ])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("/dev/none"))
    #expect(!Files.exists(directory("run")))
    #expect(!Files.exists(directory("state")))
  }

  @Test func aConfigurationDirectoryThatIsNotThereIsStatus78() throws {
    let outcome = try run(places + ["--config", directory("none"), "--check"])
    #expect(outcome.ending == .exited(78))
  }

  @Test func everyInstalledProfileIsGood() throws {
    let boards = try Files.list(TestData.packageRoot + "/boards").filter {
      $0.hasSuffix(".conf")
    }
    #expect(boards.count > 3)
    for board in boards {
      let name = String(board.prefix { $0 != "." })
      let outcome = try run(["--board", name, "--check"])
      #expect(outcome.ending == .exited(0), "\(board): \(outcome.errorText)")
      #expect(outcome.text.hasPrefix("board: ") && outcome.text.hasSuffix("all is well\n"))
    }
  }

  @Test func anUnusableStateDirectoryIsStatus73() throws {
    try Files.writeAtomically([], to: directory("file"))
    let outcome = try run([
      "--receiver", "/dev/none", "--runtime", directory("run"), "--state", directory("file/state"),
    ])
    #expect(outcome.ending == .exited(73))
    #expect(outcome.errorText.contains("state directory"))
  }

  @Test func aFileInPlaceOfADirectoryIsStatus73WithARemedy() throws {
    try Files.writeAtomically([], to: directory("file"))
    for words in [
      ["--runtime", directory("file"), "--state", directory("state")],
      ["--runtime", directory("file/run"), "--state", directory("state")],
      ["--runtime", directory("run"), "--state", directory("file")],
    ] {
      let outcome = try run(["--receiver", "/dev/none"] + words)
      #expect(outcome.ending == .exited(73))
      #expect(outcome.errorText.contains("\(directory("file"))"))
      #expect(outcome.errorText.contains("is not a directory is in its place, move that away"))
    }
  }

  @Test func aRuntimeDirectoryThatOthersCanWriteToIsStatus77() throws {
    try Files.makeDirectory(directory("run"), mode: 0o777)
    let outcome = try run(places)
    #expect(outcome.ending == .exited(77))
    #expect(outcome.errorText.contains(directory("run")))
  }

  @Test func helpAndVersionAreStatus0() throws {
    #expect(try run(["--help"]).ending == .exited(0))
    #expect(try run(["--version"]).text.hasPrefix("binnacled "))
  }

  @Test func theJournalGetsPriorities() throws {
    let pipe = try Pipe()
    var status = stat()
    #expect(fstat(pipe.writeEnd.number, &status) == 0)
    let daemon = try ChildProcess(
      Programs.path("binnacled"), places,
      environment: ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"],
      errorOutput: .descriptor(pipe.writeEnd.number))
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 4_096)
    #expect(
      try eventually {
        if let count = try pipe.readEnd.read(into: &chunk) {
          text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return text.contains("<5>daemon: ") && text.contains("<4>receiver: ")
      })
    #expect(try daemon.terminate() == .exited(0))
  }

  /// A program whose parent has closed its standard streams must not take the next file for one of them.
  @Test func logLinesOfADaemonWithoutStandardStreamsGoIntoNoFile() throws {
    let command =
      "exec \(Programs.path("binnacled")) --receiver /dev/none --log-level debug"
      + " --runtime \(directory("run")) --state \(directory("state")) 0<&- 1>&- 2>&-"
    let child = try ChildProcess("sh", ["-c", command], output: .null, errorOutput: .null)
    let socket = RuntimeDirectory.socketPath(in: directory("run"))
    #expect(try eventually { (try? LocalSocket(connectingTo: socket)) != nil })
    let descriptors = try (0...2).map {
      try Files.linkTarget("/proc/\(child.processID)/fd/\($0)")
    }
    _ = try child.terminate()
    #expect(descriptors == ["/dev/null", "/dev/null", "/dev/null"])
    let text = String(decoding: try Files.read(directory("state") + "/lock"), as: UTF8.self)
    #expect(text == "\(child.processID)\n")
  }

  @Test func aPipeInThePlaceOfAnyFileDelaysNeitherTheStartNorTheEnd() throws {
    try Files.makeDirectory(directory("state"), mode: 0o700)
    try Files.makeDirectory(directory("etc"), mode: 0o755)
    try Files.makeDirectory(directory("etc/apps.d"), mode: 0o755)
    for name in [
      "state/state.log", "state/state.mark", "state/receiver-speed", "state/tracks.log",
      "etc/apps.d/a.app", "etc/console-pin",
    ] {
      #expect(mkfifo(directory(name), 0o600) == 0)
    }
    let tracked = try profile("[Track]\nTrack=full\n")
    let child = try ChildProcess(
      Programs.path("binnacled"), places + ["--config", directory("etc"), "--board", tracked],
      output: .null, errorOutput: .pipe)
    let socket = RuntimeDirectory.socketPath(in: directory("run"))
    #expect(try eventually { (try? LocalSocket(connectingTo: socket)) != nil })
    let outcome = try child.terminate()
    #expect(outcome == .exited(0))
    // A profile, a drop-in or a lock that is a pipe ends the start with a sentence.
    try Files.makeDirectory(tracked + ".d", mode: 0o755)
    #expect(mkfifo(tracked + ".d/10.conf", 0o600) == 0)
    let dropIn = try run(["--board", tracked, "--check"])
    #expect(dropIn.ending != .exited(0))
    #expect(dropIn.errorText.contains("10.conf: it is a pipe, not a regular file"))
    try Files.remove(tracked)
    #expect(mkfifo(tracked, 0o600) == 0)
    let profile = try run(["--board", directory("board.conf"), "--check"])
    #expect(profile.ending != .exited(0))
    #expect(profile.errorText.contains("board.conf: it is a pipe, not a regular file"))
    try Files.remove(directory("state/lock"))
    #expect(mkfifo(directory("state/lock"), 0o600) == 0)
    let locked = try run(places)
    #expect(locked.ending == .exited(73))
    #expect(locked.errorText.contains("it is not a lock file of its own"))
  }

}
