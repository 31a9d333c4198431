import BinnaclePosix
import Devices
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

/// `binnacle state` and `binnacle track` at paths that lead to files of other owners.
struct StateLinkTests {
  private static let change = Change(
    RecordName(kind: RecordTable.locationServices.number), .put([0], isCautious: true))

  private static func makeLog(_ path: String) throws {
    var log = try StateLog.create(
      on: try LogFile.make(path, geometry: .ofFile), owner: BoardNumber.read(), geometry: .ofFile)
    _ = try log.commit([change])
  }

  private func run(_ words: [String]) throws -> (status: Int32?, output: String, said: String) {
    let child = try ChildProcess(
      Programs.path("binnacle"), words, output: .pipe, errorOutput: .pipe)
    let (ending, output, said) = try child.finish()
    guard case .exited(let status) = ending else { return (nil, output, said) }
    return (status, output, said)
  }

  /// The owner of the directory can put links to other files in the place of the logs.
  @Test(arguments: [
    ["state", "check", "DIR/state/state.log"],
    ["state", "show", "--state", "DIR/state", "--runtime", "DIR/none"],
    ["state", "backup", "DIR/copy", "--state", "DIR/state", "--runtime", "DIR/none"],
    ["track", "--state", "DIR/state"],
    ["state", "restore", "DIR/state/state.log", "--state", "DIR/state"],
  ])
  func readingCommandsRefuseLinks(words: [String]) throws {
    let folder = try TemporaryDirectory()
    try Files.makeDirectory(folder.path + "/state", mode: 0o700)
    try Files.writeAtomically(Array("a secret".utf8), to: folder.path + "/precious")
    for name in ["state.log", "tracks.log"] {
      #expect(symlink("../precious", folder.path + "/state/" + name) == 0)
    }
    let (status, text, said) = try run(words.map { $0.replacing("DIR", with: folder.path) })
    #expect(status == 65)
    #expect(said.contains("it is a symbolic link; name the file that it leads to"), "\(said)")
    #expect(!text.contains("secret") && !said.contains("secret"))
    #expect(!Files.exists(folder.path + "/copy"))
    #expect(try Files.read(folder.path + "/precious") == Array("a secret".utf8))
  }

  /// The mark behind the link names a later commit than the log has, and has the services switch.
  @Test(arguments: [
    ["state", "check", "DIR/state/state.log"],
    ["state", "show", "--state", "DIR/state", "--runtime", "DIR/none"],
    ["state", "backup", "DIR/copy", "--state", "DIR/state", "--runtime", "DIR/none"],
  ])
  func aLinkedMarkIsNotRead(words: [String]) throws {
    let folder = try TemporaryDirectory()
    let state = folder.path + "/state"
    let path = StateMark.path(in: state)
    try Files.makeDirectory(state, mode: 0o700)
    try StateLinkTests.makeLog(state + "/state.log")
    var mark = CommitMarkFile(
      on: try LogFile.make(path, byteCount: CommitMark.byteCount), owner: BoardNumber.read(),
      protecting: RecordTable.protecting)
    var records = RecordSet()
    records.apply(StateLinkTests.change)
    mark.renew(sequence: 99, records: records)
    let command = words.map { $0.replacing("DIR", with: folder.path) }
    // The control: the switch of the mark is in the output.
    let isRead = try hasServicesSwitch(command, folder)
    #expect(isRead)
    try Files.rename(path, to: folder.path + "/precious")
    #expect(symlink("../precious", path) == 0)
    let isReadBehindLink = try hasServicesSwitch(command, folder)
    #expect(!isReadBehindLink)
  }

  /// Whether the output of a command, or the copy that the command makes, has the services switch.
  private func hasServicesSwitch(_ words: [String], _ folder: TemporaryDirectory) throws -> Bool {
    let output = try run(words).output
    if words.contains("backup") {
      let copy = folder.path + "/copy"
      let content = try run(["state", "check", copy]).output
      try Files.remove(copy)
      return content.contains("records.location_services")
    }
    return output.contains(
      words.contains("check") ? "records.location_services" : "location services")
  }

  @Test func aLockThatIsAnotherNameOfAFileIsNotTouchedByARestore() throws {
    let folder = try TemporaryDirectory()
    try StateLinkTests.makeLog(folder.path + "/backup")
    let state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
    try Files.writeAtomically([1, 2, 3], to: folder.path + "/precious")
    try Files.link(state + "/lock", of: folder.path + "/precious")
    let (status, _, said) = try run(
      ["state", "restore", folder.path + "/backup", "--state", state])
    #expect(status == 73)
    #expect(said.contains("it is not a lock file of its own"), "\(said)")
    #expect(try Files.read(folder.path + "/precious") == [1, 2, 3])
  }

  /// The directory's owner puts a link to a file of root in the place of the log that root is just making.
  @Test(
    .enabled(if: Environment.userID == 0, "only root may restore into another user's directory"))
  func linksInTheDirectoryLeadARestoreOfRootNowhere() throws {
    let folder = try TemporaryDirectory()
    try StateLinkTests.makeLog(folder.path + "/backup")
    #expect(chmod(folder.path, 0o755) == 0)
    let (state, precious) = (folder.path + "/state", folder.path + "/precious")
    try Files.makeDirectory(state, mode: 0o700)
    #expect(chown(state, 65_534, 65_534) == 0)
    try Files.writeAtomically([1, 2, 3], to: precious)
    let words = ["state", "restore", folder.path + "/backup", "--state", state]
    #expect(try run(words).status == 0)
    let log = try Files.status(of: state + "/state.log")
    #expect([log.userID, log.groupID, log.mode] == [65_534, 65_534, 0o600])
    let attack = """
      while :; do
        [ ! -f state.log.new ] || [ -L state.log.new ] || ln -sfn ../precious state.log.new
      done
      """
    let attacker = try ChildProcess(
      "setpriv",
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c",
        "cd \(state) && \(attack)",
      ], output: .null, errorOutput: .null)
    for _ in 0..<5 { _ = try run(words) }
    _ = try attacker.terminate()
    let left = try Files.status(of: precious)
    #expect([left.userID, left.groupID] == [0, 0])
    #expect(try Files.read(precious) == [1, 2, 3])
  }

  @Test func nothingIsRestoredToAFileBelowTheDirectoryOfDevices() throws {
    let folder = try TemporaryDirectory(inMemory: true)
    let path = folder.path + "/partition"
    try Files.writeAtomically([UInt8](repeating: 0, count: 1 << 20), to: path)
    let link = folder.path + "/link"
    try #require(symlink(path, link) == 0)
    try StateLinkTests.makeLog(folder.path + "/backup")
    for place in [path, link] {
      let (status, _, said) = try run(
        ["state", "restore", folder.path + "/backup", "--state", place])
      #expect(status == 64)
      #expect(said.contains("\(place): it is not a partition"), "\(said)")
    }
    #expect(try Files.read(path).allSatisfy { $0 == 0 })
  }
}
