import BinnacleBasics
import BinnaclePosix
import Devices
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// Files in the place of the log that are none, and how a log is found, kept and replaced.
struct StateStoreTests {
  static let owner: UInt64 = 0x42
  static let noon = UTCTime(secondsSince1970: 1_795_262_400)
  static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
  static let name = RecordName(kind: RecordTable.receiverSpeed.number)

  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/state"
    try Files.makeDirectory(path, mode: 0o700)
  }

  func store(owner: UInt64 = owner, geometry: LogGeometry = geometry) -> StateStore {
    StateStore(directory: path, owner: owner, geometry: geometry)
  }

  func change(_ byte: UInt8) -> Change {
    Change(StateStoreTests.name, .put([byte, 0, 1, 0], isCautious: false))
  }

  /// A log with one record in it.
  func makeLog() throws -> [UInt8] {
    var store = store()
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil)
    _ = try store.commit([change(9)])
    // As it was made, before the next start would mend it.
    #expect(try Files.status(of: path + "/state.log").mode == 0o600)
    return try Files.read(path + "/state.log")
  }

  func files() throws -> [String] { try Files.list(path) }

  /// Opens what is there and shows that a log is kept from then on.
  func opens(_ note: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> StateReading
  {
    var store = store()
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil, note, sourceLocation: sourceLocation)
    _ = try store.commit([change(77)])
    var again = self.store()
    let second = again.open(at: StateStoreTests.noon)
    #expect(
      second.records[StateStoreTests.name] == [77, 0, 1, 0], note, sourceLocation: sourceLocation)
    #expect(second.losses.isEmpty, note, sourceLocation: sourceLocation)
    return reading
  }

  @Test func committedRecordsAreReadAgain() throws {
    _ = try makeLog()
    var again = store()
    let reading = again.open(at: StateStoreTests.noon)
    #expect(reading.records[StateStoreTests.name] == [9, 0, 1, 0])
    #expect(reading.losses.isEmpty)
    let status = try Files.status(of: path + "/state.log")
    #expect(status.mode == 0o600)
    #expect(status.size == Int64(StateStoreTests.geometry.byteCount))
    #expect(try files() == ["state.log", "state.mark"])
  }

  @Test func aFileOfRandomBytesIsSetAside() throws {
    var random = Random(seed: 3)
    for size in [1, 511, 4_096, StateStoreTests.geometry.byteCount, 100_000] {
      let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try Files.writeAtomically(bytes, to: path + "/state.log")
      let reading = try opens("\(size) bytes")
      #expect(reading.losses.contains { $0.contains("state.log.damaged-20261121T120000Z") })
    }
    let aside = try files().filter { $0.hasPrefix("state.log.damaged-") }
    #expect(aside.count == StateStore.asideMax)
  }

  @Test func theNewestFileSetAsideStaysForAnyClock() throws {
    // The clock is right four times, then it has lost its battery, and is right again.
    let years: [Int64] = [2026, 2026, 2026, 2026, 1970, 1970, 2026]
    for (number, year) in years.enumerated() {
      let bytes = [UInt8](repeating: UInt8(number), count: 100)
      try Files.writeAtomically(bytes, to: path + "/state.log")
      var store = store()
      let hours = UTCTime(
        secondsSince1970: (year == 1970 ? 0 : 1_795_262_400) + Int64(number) * 3_600)
      #expect(store.open(at: hours).obstacle == nil)
      let kept = try files().filter { $0.hasPrefix("state.log.damaged-") }
        .map { try Files.read(path + "/" + $0)[0] }.sorted()
      let wanted = (0...number).suffix(StateStore.asideMax).map { UInt8($0) }
      #expect(kept == wanted, "after \(number + 1) files")
    }
  }

  @Test func filesThatAnOlderVersionHasSetAsideGoFirst() throws {
    for name in ["20261121T110000Z", "20261121T110000Z-2", "20261121T100000Z"] {
      try Files.writeAtomically([1], to: path + "/state.log.damaged-" + name)
    }
    for _ in 0..<2 {
      try Files.writeAtomically([2], to: path + "/state.log")
      var store = store()
      _ = store.open(at: UTCTime(secondsSince1970: 0))
    }
    #expect(
      try files().filter { $0.hasPrefix("state.log.damaged-") } == [
        "state.log.damaged-19700101T000000Z-3", "state.log.damaged-19700101T000000Z-4",
        "state.log.damaged-20261121T110000Z", "state.log.damaged-20261121T110000Z-2",
      ])
  }

  @Test func aFileThatIsCutOffAnywhereIsNeverACrashAndLosesNothingSilently() throws {
    let whole = try makeLog()
    for size in 0..<whole.count where size % 61 == 0 || size < 80 {
      for name in try files() { try Files.remove(path + "/" + name) }
      try Files.writeAtomically(Array(whole.prefix(size)), to: path + "/state.log")
      let reading = try opens("\(size) bytes")
      let isThere = reading.records[StateStoreTests.name] == [9, 0, 1, 0]
      #expect(isThere || !reading.losses.isEmpty, "\(size) bytes")
      #expect(try files().contains { $0.contains("damaged") }, "\(size) bytes")
    }
  }

  @Test func aDamagedCommitIsReportedAndTheDamagedFileIsKept() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    for byte: UInt8 in 1...4 { _ = try store.commit([change(byte)]) }
    var bytes = try Files.read(path + "/state.log")
    // The second commit, behind the empty copy of one block.
    bytes[2 * 512 + 60] ^= 0xFF
    try Files.writeAtomically(bytes, to: path + "/state.log")
    let reading = try opens("damaged")
    #expect(reading.losses.contains { $0.contains("is damaged; its changes are lost") })
    #expect(reading.records[StateStoreTests.name] == [4, 0, 1, 0])
    #expect(try Files.read(path + "/state.log.damaged-20261121T120000Z") == bytes)
  }

  @Test func anotherBoardsStateIsSetAside() throws {
    _ = try makeLog()
    var other = store(owner: 0x43)
    let reading = other.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil)
    #expect(reading.records.isEmpty)
    #expect(reading.losses.contains { $0.contains("another board's") })
    _ = try other.commit([change(1)])
  }

  @Test func aNewerVersionsStateIsLeftAlone() throws {
    var bytes = try makeLog()
    bytes[4] = 2
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes[..<48] {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0x82F6_3B78 : sum >> 1 }
    }
    for index in 0..<4 {
      bytes[48 + index] = UInt8(truncatingIfNeeded: ~sum >> (8 * UInt32(index)))
    }
    try Files.writeAtomically(bytes, to: path + "/state.log", mode: 0o600)
    var store = store()
    let obstacle = store.open(at: StateStoreTests.noon).obstacle
    #expect(obstacle?.text.contains("a newer version wrote it (format 2)") == true)
    #expect(obstacle?.kind == .lasting)
    #expect(throws: CommitFailure.self) { try store.commit([change(1)]) }
    #expect(try Files.read(path + "/state.log") == bytes)
    #expect(try files() == ["state.log", "state.mark"])
  }

  @Test func aPathThatIsNoFileIsSetAside() throws {
    try Files.makeDirectory(path + "/state.log", mode: 0o755)
    try Files.writeAtomically([1], to: path + "/state.log/inside")
    let directory = try opens("a directory")
    #expect(directory.losses.contains { $0.contains("it is a directory; it is kept as") })
    try Files.remove(path + "/state.log")
    try Files.makeLink(path + "/state.log", to: "/etc/passwd")
    let link = try opens("a link")
    #expect(link.losses.contains { $0.contains("it is a symbolic link; it is kept as") })
    try Files.remove(path + "/state.log")
    #expect(mkfifo(path + "/state.log", 0o600) == 0)
    let pipe = try opens("a pipe")
    #expect(pipe.losses.contains { $0.contains("neither a file nor a partition") })
  }

  @Test func anEmptyFileIsSetAside() throws {
    try Files.writeAtomically([], to: path + "/state.log")
    #expect(try opens("empty").losses.contains { $0.contains("it is empty") })
  }

  @Test func aDraftThatAPowerCutLeftBehindIsReplaced() throws {
    try Files.writeAtomically([1, 2, 3], to: path + "/state.log.new")
    _ = try opens("a draft")
    #expect(try files() == ["state.log", "state.mark"])
  }

  @Test func aRemovedFileIsMadeAgainWithItsRecords() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([change(5)])
    try Files.remove(path + "/state.log")
    let other = Change(RecordName(kind: RecordTable.lastFix.number), .put([1], isCautious: false))
    _ = try store.commit([other])
    var again = self.store()
    let reading = again.open(at: StateStoreTests.noon)
    #expect(reading.records[StateStoreTests.name] == [5, 0, 1, 0])
    #expect(reading.records.entries.count == 2)
  }

  @Test func aLogThatOnlyABackupStillNamesIsMadeAgain() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([change(5)])
    try Files.link(path + "/backup", of: path + "/state.log")
    let backup = try Files.read(path + "/backup")
    try Files.writeAtomically(backup, to: path + "/state.log")
    _ = try store.commit([change(6)])
    #expect(try Files.read(path + "/backup") == backup)
    var again = self.store()
    #expect(again.open(at: StateStoreTests.noon).records[StateStoreTests.name] == [6, 0, 1, 0])
  }

  @Test func rotAtTheEndIsReportedAndALogContinuesBehindIt() throws {
    var store = store()
    #expect(store.open(at: StateStoreTests.noon).damage == nil)
    let services = RecordName(kind: RecordTable.locationServices.number)
    _ = try store.commit([Change(services, .put([0], isCautious: true))])
    for byte: UInt8 in 1...3 { _ = try store.commit([change(byte)]) }
    let bytes = try Files.read(path + "/state.log")
    for fill: UInt8 in [0, 0xFF] {
      // Everything but the copy at the start, of one block.
      let damaged = bytes.prefix(512) + [UInt8](repeating: fill, count: bytes.count - 512)
      try Files.writeAtomically(Array(damaged), to: path + "/state.log")
      var again = self.store()
      let reading = again.open(at: StateStoreTests.noon)
      #expect(reading.damage?.contains("damaged") == true)
      #expect(reading.records[services] == [0])
      _ = try again.commit([change(8)])
      var third = self.store()
      #expect(third.open(at: StateStoreTests.noon).damage == nil)
    }
  }

  @Test func aMissingLogIsReportedAndTheServicesSwitchIsKept() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    let services = RecordName(kind: RecordTable.locationServices.number)
    _ = try store.commit([Change(services, .put([0], isCautious: true))])
    try Files.remove(path + "/state.log")
    var again = self.store()
    let reading = again.open(at: StateStoreTests.noon)
    let loss = "\(path)/state.log is missing: every decision before commit 3 is lost"
    #expect(reading.damage == loss)
    #expect(reading.losses.contains(loss))
    #expect(reading.records[services] == [0])
    // With its mark it is as if there never had been one.
    for name in try files() { try Files.remove(path + "/" + name) }
    var fresh = self.store()
    #expect(fresh.open(at: StateStoreTests.noon).damage == nil)
  }

  @Test func anUnreadableLogMayHoldADenial() throws {
    var bytes = try makeLog()
    bytes[4] = 2
    var sum = CRC32C()
    sum.add(bytes[..<48])
    for index in 0..<4 {
      bytes[48 + index] = UInt8(truncatingIfNeeded: sum.value >> (8 * UInt32(index)))
    }
    try Files.writeAtomically(bytes, to: path + "/state.log")
    var store = store()
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle != nil && reading.damage != nil)
  }

  @Test func aRemovedFileIsReplacedAsSoonAsThatIsPossible() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([change(5)])
    try Files.remove(path + "/state.log")
    // A directory in the place of the draft stands for a full disk.
    try Files.makeDirectory(path + "/state.log.new", mode: 0o700)
    for _ in 0..<2 { #expect(throws: CommitFailure.self) { try store.commit([change(6)]) } }
    #expect(rmdir(path + "/state.log.new") == 0)
    // As the engine asks when nothing waits.
    _ = try store.commit([])
    var again = self.store()
    let reading = again.open(at: StateStoreTests.noon)
    #expect(reading.records[StateStoreTests.name] == [5, 0, 1, 0])
    #expect(reading.damage == nil)
  }

  /// The directory is removed while the daemon runs, or a directory takes the place of the log.
  @Test(arguments: [true, false])
  func recordsAreKeptAgainWithoutADirectoryAndBesideOne(isRemoved: Bool) throws {
    let place = path + "/state"
    try Files.makeDirectory(place, mode: 0o700)
    var store = StateStore(directory: place, owner: 1)
    #expect(store.open(at: StateStoreTests.noon).obstacle == nil)
    _ = try store.commit([change(5)])
    for name in try Files.list(place) { try Files.remove(place + "/" + name) }
    if isRemoved {
      #expect(rmdir(place) == 0)
    } else {
      try Files.makeDirectory(place + "/state.log", mode: 0o700)
    }
    _ = try store.commit([change(6)])
    var again = StateStore(directory: place, owner: 1)
    let reading = again.open(at: StateStoreTests.noon)
    #expect(reading.records[StateStoreTests.name] == [6, 0, 1, 0])
  }

  @Test func aMissingDirectoryIsATemporaryObstacle() throws {
    try Files.remove(path + "/x")
    var store = StateStore(directory: path + "/gone", owner: 1)
    let obstacle = store.open(at: StateStoreTests.noon).obstacle
    #expect(obstacle?.kind == .passing)
    try Files.makeDirectory(path + "/gone", mode: 0o700)
    #expect(store.open(at: StateStoreTests.noon).obstacle == nil)
  }

  @Test func theSpeedOfAnOlderVersionIsTakenOver() throws {
    try Files.writeAtomically(Array("38400\n".utf8), to: path + "/receiver-speed")
    var store = store()
    let reading = store.open(at: StateStoreTests.noon)
    #expect(
      reading.records[StateStoreTests.name].flatMap(ReceiverSpeedRecord.init)?.speed == 38_400)
    #expect(try files() == ["state.log", "state.mark"])
    // One that says nothing of use is only removed, and a newer record counts more.
    try Files.writeAtomically(Array("9600\n".utf8), to: path + "/receiver-speed")
    var again = self.store()
    let second = again.open(at: StateStoreTests.noon)
    #expect(second.records[StateStoreTests.name].flatMap(ReceiverSpeedRecord.init)?.speed == 38_400)
    #expect(try files() == ["state.log", "state.mark"])
  }

  @Test func openPermissionsAreRestrictedAndReported() throws {
    _ = try makeLog()
    #expect(chmod(path, 0o755) == 0)
    #expect(chmod(path + "/state.log", 0o644) == 0)
    var store = store()
    let notes = store.open(at: StateStoreTests.noon).notes.map(\.text)
    #expect(
      notes
        == [path, path + "/state.log"].map {
          "\($0) was open to other users; it is closed now"
        })
    #expect(try Files.status(of: path).mode == 0o700)
    #expect(try Files.status(of: path + "/state.log").mode == 0o600)
    #expect(store.open(at: StateStoreTests.noon).notes.isEmpty)
  }

  @Test func everySystemErrorHasItsFault() {
    #expect(LogFile.fault(.noSpace) == .noSpace)
    #expect(LogFile.fault(Errno(code: EDQUOT)) == .noSpace)
    #expect(LogFile.fault(.inputOutput) == .inputOutput)
    #expect(LogFile.fault(.readOnly) == .readOnly)
    #expect(LogFile.fault(.accessDenied) == .readOnly)
    #expect(LogFile.fault(.busy) == .other(EBUSY))
  }

  @Test func commonErrorsOfFilesAreNamedInWords() {
    let errors: [Errno] = [
      .noSuchFile, .noSuchDeviceOrAddress, .busy, .fileExists, .noSuchDevice, .notADirectory,
      .isADirectory, .invalidArgument, .fileTooLarge, .nameTooLong, .tooManyLinks,
    ]
    for error in errors {
      let text = LogFile.fault(error).description
      #expect(!text.contains("error"), "\(error): \(text)")
    }
    #expect(LogFile.fault(.isADirectory).description == "a directory has the name")
    #expect(BlockFault.other(117).description == "the disk answers with error 117")
  }

  @Test func aSharedDirectoryKeepsItsPermissions() throws {
    #expect(chmod(path, 0o1777) == 0)
    var store = store()
    let notes = store.open(at: StateStoreTests.noon).notes.map(\.text)
    #expect(notes.contains { $0.contains("is open to other users and cannot be closed") })
    #expect(try Files.status(of: path).mode == 0o1777)
  }
}

extension StateReading {
  /// The records that are reported as lost.
  fileprivate var losses: [String] { notes.filter { $0.level == .error }.map(\.text) }
}
