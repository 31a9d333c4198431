import BinnaclePosix
import Devices
import LocationEngine
import StateLog
import TestSupport
import Testing

/// The mark of the log of state in `binnacle state check` and `binnacle state restore`.
struct StateMarkCommandTests {
  private static let services = Change(
    RecordName(kind: RecordTable.locationServices.number), .put([1], isCautious: true))

  private let folder: TemporaryDirectory
  private let state: String
  private let log: String

  init() throws {
    folder = try TemporaryDirectory()
    state = folder.path + "/state"
    log = state + "/state.log"
    try Files.makeDirectory(state, mode: 0o700)
  }

  private static func makeLog(_ path: String) throws {
    var log = try StateLog.create(
      on: try LogFile.make(path, geometry: .ofFile), owner: BoardNumber.read(), geometry: .ofFile)
    _ = try log.commit([services])
  }

  private func run(_ words: String...) throws -> (status: Int32?, output: String, said: String) {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["state"] + words, output: .pipe, errorOutput: .pipe)
    let (ending, output, said) = try child.finish()
    guard case .exited(let status) = ending else { return (nil, output, said) }
    return (status, output, said)
  }

  @Test(arguments: [false, true])
  func aRestoredLogHasItsMark(hasOldLog: Bool) throws {
    let backup = folder.path + "/backup"
    try StateMarkCommandTests.makeLog(backup)
    if hasOldLog { try StateMarkCommandTests.makeLog(log) }
    let (status, _, said) = try run("restore", backup, "--state", state)
    #expect(status == 0, "\(said)")
    let owner = BoardNumber.read()
    var mark = StateMark.open(in: state, owner: owner, protecting: RecordTable.protecting)
    let reading = StateMark.inspect(&mark, at: StateMark.path(in: state))
    var file = try LogFile(path: log)
    let found = Recovery(
      of: &file, owner: owner, expecting: .ofFile, mark: reading, protecting: RecordTable.protecting
    )
    #expect(found.verdict == .sound)
    #expect(reading.mark?.sequence == found.lastCommit)
    #expect(reading.mark?.protection?.records == [StateMarkCommandTests.services])
    #expect(try Files.status(of: state + "/state.mark").mode == 0o600)
    let names = try Files.list(state)
    #expect(!names.contains { $0.hasSuffix(".new") })
  }

  @Test func aMissingMarkIsReportedInADirectoryOfTheDaemon() throws {
    try StateMarkCommandTests.makeLog(log)
    // A copy of a log, outside of such a directory, has no mark.
    let (copy, _, said) = try run("check", log)
    #expect(copy == 0, "\(said)")
    try Files.writeAtomically([], to: state + "/lock")
    let (status, output, _) = try run("check", log)
    #expect(status == 1)
    #expect(output.contains("its mark is missing, so commits after 2 may be lost"), "\(output)")
    #expect(output.contains("log.withheld.1"), "\(output)")
  }
}
