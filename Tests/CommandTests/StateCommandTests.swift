import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Devices
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

/// `binnacle state` and `binnacle writes` beside a daemon that follows a script, and without one.
struct StateCommandTests {
  private static let records: RecordSet = {
    var records = RecordSet()
    for (kind, key, value): (RecordKind, String, [UInt8]) in [
      (RecordTable.locationServices, "", [0]), (RecordTable.receiverSpeed, "", [0, 0x96, 0, 0]),
      (RecordTable.appDefaults, "org.example.a\0started", [1, 2, 3]),
      (RecordTable.lastFix, "", lastFix),
    ] {
      guard let name = kind.named(Array(key.utf8)) else { continue }
      records.apply(Change(name, .put(value, isCautious: kind.isCautious)))
    }
    return records
  }()

  /// 47.3977, 8.5456: version, model, degrees, height, accuracy, seconds, nanoseconds.
  private static let lastFix: [UInt8] = {
    var writer = ByteWriter()
    writer.u8(1)
    writer.u8(0)
    writer.i32(473_977_000)
    writer.i32(85_456_000)
    writer.i32(0)
    writer.u32(2_500)
    writer.i64(1_763_700_000)
    writer.u32(0)
    return writer.bytes
  }()

  private func run(_ words: [String]) throws -> (status: Int32?, output: String, said: String) {
    let child = try ChildProcess(
      Programs.path("binnacle"), words, output: .pipe, errorOutput: .pipe)
    return try outcome(child)
  }

  private func outcome(
    _ child: ChildProcess
  ) throws -> (status: Int32?, output: String, said: String) {
    let (ending, output, said) = try child.finish()
    guard case .exited(let status) = ending else { return (nil, output, said) }
    return (status, output, said)
  }

  /// A daemon that answers a request for what is kept, in two pieces.
  private func answered(
    _ words: [String], _ records: RecordSet = records
  ) throws -> (status: Int32?, output: String, said: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    try daemon.welcome(version: 2)
    guard case .request(let request, .state(.read)) = try daemon.hear() else {
      Issue.record("nothing is asked for")
      return (nil, "", "")
    }
    let bytes = records.encoded
    try daemon.say(.state(request: request, isLast: false, Array(bytes.prefix(7))))
    try daemon.say(.state(request: request, isLast: true, Array(bytes.dropFirst(7))))
    return try outcome(child)
  }

  // MARK: Looking

  @Test func recordsAreListedWithoutPlaces() throws {
    let (status, output, _) = try answered(["state"])
    #expect(status == 0)
    #expect(
      output == """
        location services  now         1  off
        last fix           lazy       \(StateCommandTests.lastFix.count)
        receiver speed     now         4  38400 baud
        app defaults       now         3  org.example.a started

        """)
  }

  @Test func anOptionShowsPlaces() throws {
    let (_, output, _) = try answered(["state", "show", "--coordinates"])
    #expect(output.contains("47.3977, 8.5456 ±2.5 m, 2025-11-21T04:40:00Z"), "\(output)")
    let (_, json, _) = try answered(["state", "show", "--json"])
    #expect(
      json.hasPrefix(
        "{\"type\":\"location services\",\"class\":\"now\",\"bytes\":1,\"value\":\"off\"}\n"))
    #expect(!json.contains("47."))
  }

  @Test func noRecordIsNoLineForPrograms() throws {
    let (status, output, said) = try answered(["state", "--json"], RecordSet())
    #expect(status == 0 && output == "" && said == "")
    #expect(try answered(["state"], RecordSet()).output == "nothing is kept\n")
  }

  @Test func aDamagedAnswerOfTheDaemonIsReported() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "show"])
    try daemon.welcome(version: 2)
    guard case .request(let request, .state(.read)) = try daemon.hear() else {
      Issue.record("the daemon is not asked for its state")
      return
    }
    try daemon.say(.state(request: request, isLast: true, [1, 2, 3]))
    #expect(try outcome(child).status == 65)
  }

  @Test func anOlderDaemonCannotListItsRecords() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "show"])
    try daemon.welcome(version: 1)
    let (status, _, said) = try outcome(child)
    #expect(status == 1)
    #expect(said.contains("install both from one release"), "\(said)")
  }

  @Test func withoutADaemonTheLogIsRead() throws {
    let folder = try TemporaryDirectory()
    let runtime = ["--runtime", folder.path + "/none"]
    let words = ["state", "show", "--state", folder.path] + runtime
    let (missing, _, said) = try run(words)
    #expect(missing == 66, "\(said)")
    let file = try LogFile.make(folder.path + "/state.log", geometry: .ofFile)
    _ = try StateLog.create(
      on: file, owner: BoardNumber.read(), geometry: .ofFile, holding: StateCommandTests.records)
    let (status, output, _) = try run(words)
    #expect(status == 0)
    #expect(output.contains("38400 baud"))
  }

  // MARK: Saving and restoring

  @Test func aBackupIsALogWithTheDaemonsRecords() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/backup"
    #expect(try answered(["state", "backup", path]).status == 0)
    #expect(try Files.status(of: path).mode == 0o600)
    var file = try LogFile(path: path)
    let recovery = Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofFile)
    #expect(recovery.verdict == .sound)
    #expect(recovery.records == StateCommandTests.records)
    #expect(try answered(["state", "backup", "/no/such/folder/b"]).status == 73)
  }

  @Test func aBackupLeavesADeviceInPlace() throws {
    let folder = try TemporaryDirectory()
    try Files.makeLink(folder("device"), to: "/dev/null")
    #expect(try answered(["state", "backup", folder("device")]).status == 0)
    #expect(try Files.linkTarget(folder("device")) == "/dev/null")
    #expect(try Files.list(folder.path) == ["device"])
  }

  @Test func aBackupIsRestoredAndTheOldLogKept() throws {
    let folder = try TemporaryDirectory()
    #expect(try answered(["state", "backup", folder.path + "/backup"]).status == 0)
    let state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
    try Files.writeAtomically([1, 2, 3], to: state + "/state.log")
    let words = ["state", "restore", folder.path + "/backup", "--state", state]
    let (status, _, said) = try run(words)
    #expect(status == 0, "\(said)")
    var file = try LogFile(path: state + "/state.log")
    #expect(
      Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofFile).records
        == StateCommandTests.records)
    let aside = try Files.list(state).filter { $0.hasPrefix("state.log.replaced-") }
    #expect(aside.count == 1)
    #expect(try Files.read(state + "/" + (aside.first ?? "")) == [1, 2, 3])
    #expect(try Files.status(of: state + "/state.log").mode == 0o600)
  }

  @Test func aMissingDirectoryIsNamedOnce() throws {
    let folder = try TemporaryDirectory()
    #expect(try answered(["state", "backup", folder.path + "/backup"]).status == 0)
    let missing = folder.path + "/missing"
    let (status, _, said) = try run(
      ["state", "restore", folder.path + "/backup", "--state", missing])
    #expect(status == 73)
    #expect(said == "binnacle: \(missing): No such file or directory\n")
  }

  @Test func nothingIsRestoredUnderADaemon() throws {
    let folder = try TemporaryDirectory()
    #expect(try answered(["state", "backup", folder.path + "/backup"]).status == 0)
    let lock = try FileLock(path: folder.path + "/lock")
    let (status, _, said) = try run(
      ["state", "restore", folder.path + "/backup", "--state", folder.path])
    _ = consume lock
    #expect(status == 75)
    #expect(said.contains("stop it first"), "\(said)")
    #expect(!Files.exists(folder.path + "/state.log"))
  }

  @Test func anotherBoardsAndADamagedLogAreRestoredByForceOnly() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/foreign"
    let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
    var log = try StateLog.create(
      on: try LogFile.make(path, geometry: geometry), owner: 0xABCD, geometry: geometry)
    for value in [UInt8(1), 2, 3] {
      _ = try log.commit([try RecordTable.receiverSpeed.change(to: [value, 1, 0, 0])])
    }
    let state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
    let words = ["state", "restore", path, "--state", state]
    #expect(try run(words).said.contains("it is another board's"))
    #expect(try run(words).status == 65)
    #expect(!Files.exists(state + "/state.log"))
    #expect(try run(words + ["--force"]).status == 0)
    #expect(Files.exists(state + "/state.log"))

    var bytes = try Files.read(path)
    bytes[512 * 2 + 60] ^= 1
    try Files.writeAtomically(bytes, to: path)
    #expect(try run(words).status == 65)
    try Files.writeAtomically([9, 9, 9], to: path)
    #expect(try run(words + ["--force"]).status == 65)
  }

  @Test func aBackupWithoutALegibleRecordIsRestoredByForceOnly() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/backup"
    let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
    var records = RecordSet()
    records.apply(try RecordTable.receiverSpeed.change(to: [1, 1, 0, 0]))
    _ = try StateLog.create(
      on: try LogFile.make(path, geometry: geometry), owner: BoardNumber.read(), geometry: geometry,
      holding: records)
    let state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
    let words = ["state", "restore", path, "--state", state]
    var bytes = try Files.read(path)
    bytes[geometry.segmentSize + 60] ^= 1
    try Files.writeAtomically(bytes, to: path)
    let refused = try run(words)
    #expect(refused.status == 65)
    #expect(refused.said.contains("no record in it is legible; --force restores it anyway"))
    #expect(!Files.exists(state + "/state.log"))
    #expect(try run(words + ["--force"]).status == 0)
    var file = try LogFile(path: state + "/state.log")
    let found = Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofFile).records
    #expect(found.count(ofKind: RecordTable.damage.number) == 1)
  }

  @Test func aRestoreByForceOfADamagedLogStatesThatSomeIsLost() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/damaged"
    let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
    var log = try StateLog.create(
      on: try LogFile.make(path, geometry: geometry), owner: BoardNumber.read(), geometry: geometry)
    for value in [UInt8(1), 2, 3] {
      _ = try log.commit([try RecordTable.receiverSpeed.change(to: [value, 1, 0, 0])])
    }
    var bytes = try Files.read(path)
    bytes[512 * 2 + 60] ^= 1
    try Files.writeAtomically(bytes, to: path)
    let state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
    #expect(try run(["state", "restore", path, "--state", state, "--force"]).status == 0)
    var file = try LogFile(path: state + "/state.log")
    let found = Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofFile).records
    #expect(found.count(ofKind: RecordTable.damage.number) == 1)
  }

  @Test func acceptanceIsAskedForAndItsAnswerIsReported() throws {
    for refusal in [nil, "not done"] {
      let daemon = try ScriptedDaemon()
      let child = try daemon.start(["state", "accept"])
      try daemon.welcome(version: 3)
      guard case .request(let request, .state(.accept)) = try daemon.hear() else {
        Issue.record("nothing is asked for")
        return
      }
      try daemon.say(
        .answered(
          request: request, refusal.map { .init(.notPermitted, $0) }))
      #expect(try outcome(child).status == (refusal == nil ? 0 : 1))
    }
  }

  @Test func anOlderDaemonIsNotAskedToAcceptALoss() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "accept"])
    try daemon.welcome(version: 2)
    let (status, _, said) = try outcome(child)
    #expect(status == 1)
    #expect(said.contains("the daemon speaks version 2 of the protocol, and this takes version 3"))
  }

  // MARK: Erasing, and what was written

  @Test func eraseNamesTheSubjectAndEndsWithTheAnswer() throws {
    for (words, subject): ([String], EraseSubject) in [
      (["fix"], .fix), (["all"], .all), (["defaults"], .defaults(app: nil)),
      (["defaults", "org.example.a"], .defaults(app: "org.example.a")),
    ] {
      let daemon = try ScriptedDaemon()
      let child = try daemon.start(["state", "erase"] + words)
      try daemon.welcome(version: 2)
      guard case .request(let request, .state(let wish)) = try daemon.hear() else {
        Issue.record("nothing is asked for")
        return
      }
      #expect(wish == .erase(subject))
      try daemon.say(.answered(request: request, nil))
      #expect(try outcome(child).status == 0)
    }
  }

  @Test func anAppWithoutDefaultsIsStatus65() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "erase", "defaults", "org.example"])
    try daemon.welcome(version: WireLimits.versionMax)
    var number: UInt32?
    if case .request(let request, .state(.erase)) = try daemon.hear() { number = request }
    try daemon.say(.answered(request: try #require(number), .init(.appUnknown, "no such app")))
    let (status, _, said) = try outcome(child)
    #expect(status == 65 && said == "binnacle: state: no such app\n")
  }

  @Test func anUnknownSubjectOfAnEraseIsReported() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "erase", "fix"])
    try daemon.welcome(version: 2)
    guard case .request(let request, .state(_)) = try daemon.hear() else {
      Issue.record("the daemon is not asked for its state")
      return
    }
    try daemon.say(.answered(request: request, .init(.notKept, "no space")))
    let (status, _, said) = try outcome(child)
    #expect(status == 1)
    #expect(said == "binnacle: state: no space\n")
    #expect(try run(["state", "erase", "fix", "org.a"]).status == 64)
    #expect(try run(["state", "erase", "track"]).status == 64)
    #expect(try run(["state", "erase"]).status == 64)
    let folder = try TemporaryDirectory()
    #expect(try run(["state", "erase", "fix", "--runtime", folder.path]).status == 69)
  }

  @Test func writesAreATable() throws {
    var report = Report()
    for (name, number): (String, Int64) in [
      ("writes.now.commits", 2), ("writes.now.copies", 0), ("writes.now.bytes", 8_192),
      ("writes.now.flushes", 2), ("kernel.process.bytes", 12_288), ("kernel.disk.bytes", 40_960),
      ("kernel.disk.flushes", 5), ("writes.hour_0.now.commits", 1), ("writes.hour_0.now.copies", 1),
      ("writes.hour_0.now.bytes", 4_096), ("writes.hour_0.now.flushes", 1),
    ] { report.add(name, .integer(number)) }
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["writes"])
    try daemon.welcome(version: 2)
    guard case .request(let request, .state(.writes)) = try daemon.hear() else {
      Issue.record("the daemon is not asked for its state")
      return
    }
    try daemon.say(.writes(request: request, report))
    let rows = try outcome(child).output.split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      rows == [
        "commits copies bytes flushes", "since the start", "now 2 0 8192 2",
        "the daemon, by the kernel 12288", "the disk, by all 40960 5", "this hour",
        "now 1 1 4096 1",
      ])
  }
}
