import BinnaclePosix
import Devices
import LocationEngine
import StateLog
import TestSupport
import Testing

/// `binnacle state check` over files that are logs, were logs, and are none.
struct StateCheckTests {
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
  private static let services = RecordName(kind: RecordTable.locationServices.number)

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/state.log"
  }

  private func check(_ words: String...) throws -> (status: Int32?, output: String, said: String) {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["state", "check"] + words, output: .pipe, errorOutput: .pipe)
    let (ending, output, said) = try child.finish()
    guard case .exited(let status) = ending else { return (nil, output, said) }
    return (status, output, said)
  }

  private func value(_ name: String, in output: String) -> String? {
    let line = output.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.map { String($0.dropFirst(name.count).drop { $0 == " " }) }
  }

  /// A log with three commits behind the first, empty one.
  private func makeLog(owner: UInt64 = BoardNumber.read()) throws -> [UInt8] {
    let file = try LogFile.make(path, geometry: StateCheckTests.geometry)
    var log = try StateLog.create(on: file, owner: owner, geometry: StateCheckTests.geometry)
    for isOn in [UInt8(0), 1, 0] {
      _ = try log.commit([
        Change(StateCheckTests.services, .put([isOn], isCautious: true)),
        try RecordTable.receiverSpeed.change(to: [isOn, 0x25, 0, 0]),
      ])
    }
    return try Files.read(path)
  }

  private func spoil(block: Int, in bytes: [UInt8]) throws {
    var bytes = bytes
    bytes[block * 512 + 60] ^= 1
    try Files.writeAtomically(bytes, to: path)
  }

  @Test func aWholeLogIsReportedAsWhole() throws {
    _ = try makeLog()
    let (status, output, said) = try check(path)
    #expect(status == 0)
    #expect(said == "")
    #expect(value("log.verdict", in: output) == "whole")
    #expect(value("log.last_commit", in: output) == "4")
    #expect(value("records.location_services", in: output) == "1")
    #expect(value("records.receiver_speed", in: output) == "1")
  }

  @Test func programsGetAnObject() throws {
    _ = try makeLog()
    let (status, output, _) = try check(path, "--json")
    #expect(status == 0)
    #expect(output.hasPrefix("{\"log.verdict\":\"whole\","))
    #expect(output.contains("\"records.count\":2,"))
  }

  @Test func rotIsReportedWithLostCommitsAndWithheldRecords() throws {
    try spoil(block: 2, in: makeLog())
    let (status, output, _) = try check(path)
    #expect(status == 1)
    #expect(value("log.verdict", in: output) == "damaged")
    #expect(value("log.lost.1", in: output) == "commit 3 is damaged")
    // The commit behind the lost one has the last word, so nothing is withheld.
    #expect(!output.contains("withheld"))
  }

  @Test func aTornTailIsNoDamage() throws {
    try spoil(block: 3, in: makeLog())
    let (status, output, _) = try check(path)
    #expect(status == 0)
    #expect(value("log.unfinished_commit", in: output) == "yes")
    #expect(value("log.last_commit", in: output) == "3")
  }

  @Test func recordsThatALostCommitMayHaveChangedAreWithheld() throws {
    let file = try LogFile.make(path, geometry: StateCheckTests.geometry)
    var log = try StateLog.create(
      on: file, owner: BoardNumber.read(), geometry: StateCheckTests.geometry)
    _ = try log.commit([Change(StateCheckTests.services, .put([1], isCautious: true))])
    _ = try log.commit([Change(StateCheckTests.services, .put([0], isCautious: true))])
    _ = try log.commit([try RecordTable.receiverSpeed.change(to: [0, 0x25, 0, 0])])
    try spoil(block: 2, in: Files.read(path))
    let (status, output, _) = try check(path)
    #expect(status == 1)
    #expect(value("log.withheld.1", in: output) == "location services")
  }

  @Test func aLogOfAnotherBoardIsReadAllTheSame() throws {
    _ = try makeLog(owner: 0xABCD)
    let (status, output, _) = try check(path)
    #expect(status == 0)
    #expect(value("log.board", in: output) == "abcd")
    #expect(value("log.is_of_this_board", in: output) == "no")
  }

  @Test func aFileOfEveryLengthIsJudged() throws {
    let whole = try makeLog()
    for length in [0, 1, 51, 52, 511, 512, 600, 4_096, 4_097, whole.count - 1] {
      try Files.writeAtomically(Array(whole.prefix(length)), to: path)
      let (status, output, said) = try check(path)
      // With its first block it is a log that was cut off, else none.
      #expect(status == (length < 512 ? 65 : 1), "\(length) bytes: \(said)")
      #expect((output + said).contains(length < 512 ? "no log" : "damaged"), "\(length)")
    }
  }

  @Test func aFileThatIsNoLogIsReported() throws {
    try Files.writeAtomically(
      [UInt8](repeating: 0, count: LogGeometry.ofFile.byteCount), to: path)
    #expect(try check(path).said.contains("nothing but zeros"))
    try Files.writeAtomically((0..<9_000).map { UInt8(truncatingIfNeeded: $0 * 7) }, to: path)
    let (status, _, said) = try check(path)
    #expect(status == 65)
    #expect(said.contains("it has no block of a log"))
    let (ofFolder, _, advice) = try check(folder.path)
    #expect(ofFolder == 65)
    #expect(advice.contains("it is a directory; the log in it is called state.log"))
  }

  @Test func aMissingFileIsMissing() throws {
    let (status, _, said) = try check(folder.path + "/none")
    #expect(status == 66)
    #expect(said.contains("none: No such file or directory"), "\(said)")
  }

  @Test func unknownSubcommandsAreRefused() throws {
    for words in [
      ["state", "check"], ["state", "mend"], ["state", "check", "a", "b"],
    ] {
      let child = try ChildProcess(
        Programs.path("binnacle"), words, output: .pipe, errorOutput: .pipe)
      #expect(try child.finish().status == .exited(64))
    }
  }
}
