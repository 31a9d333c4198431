import BinnacleModel
import BinnaclePosix
import Devices
import LocationEngine
import StateLog
import TestSupport
import Testing

/// The folder of stored state that a command without `--state` reads, with and without a daemon.
struct StateFolderTests {
  private let folder: TemporaryDirectory
  private let state: String
  /// The default folder of this user.
  private static let usual = RuntimeDirectory.stateOfDaemon(
    option: nil, userID: Environment.userID)

  init() throws {
    folder = try TemporaryDirectory()
    state = folder("state")
  }

  private func run(_ words: [String]) throws -> ChildProcess.Outcome {
    try ChildProcess.run(Programs.path("binnacle"), words, limit: .seconds(60))
  }

  /// Makes a track of one point, at 2026-11-21T10:15:00Z.
  private func makeTrack() throws {
    try Files.makeDirectory(state, mode: 0o700)
    let geometry = try #require(LogGeometry(blockSize: 512, blocksPerSegment: 32))
    var log = try StateLog.create(
      on: try LogFile.make(state + "/tracks.log", geometry: geometry), owner: BoardNumber.read(),
      geometry: geometry)
    let point = TrackPoint(
      timeMilliseconds: 1_795_256_100_000, latitudeE7: 473_977_005, longitudeE7: 85_456_000,
      horizontalAccuracyCentimeters: 213)
    let stretch = try #require(
      TrackStretch([point], isReduced: false, periodMilliseconds: 1_000))
    _ = try log.commit([
      try RecordTable.track.change(key: TrackKey.bytes(1), to: stretch.bytes)
    ])
  }

  // MARK: Beside a daemon

  @Test func aTrackIsReadWhereTheDaemonKeepsIt() throws {
    try makeTrack()
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["track"])
    let request = try daemon.statusRequest()
    var report = Report()
    report.add(.stateDirectory, state)
    try daemon.say(.status(request: request, report))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0) && complaint == "")
    #expect(output == "2026-11-21T10:15:00.000Z  47.3977005, 8.5456000  ±2.13 m\n")
  }

  @Test func anOlderDaemonReportsNoFolderSoThatTheUsualOneIsNamed() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["track"])
    let request = try daemon.statusRequest()
    try daemon.say(.status(request: request, Report()))
    let complaint = try child.finish().complaint
    #expect(
      complaint.hasPrefix("binnacle: reading \(Self.usual): an older daemon does not report"),
      "\(complaint)")
  }

  /// Makes an empty backup of this board.
  private func makeBackup() throws -> String {
    let path = folder("my backup")
    _ = try StateLog.create(
      on: try LogFile.make(path, geometry: .ofFile), owner: BoardNumber.read(), geometry: .ofFile)
    return path
  }

  @Test(arguments: [nil, "/dev/mmcblk0p3"] as [String?])
  func aRestoreBesideADaemonOnlyNamesTheCommandsForLater(partition: String?) throws {
    let backup = try makeBackup()
    // The daemon's lock is missing, so only its answer keeps the command from writing there.
    try Files.makeDirectory(state, mode: 0o700)
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "restore", backup, "--force"])
    let request = try daemon.statusRequest()
    var report = Report()
    report.add(.stateDirectory, state)
    if let partition { report.add(.statePartition, partition) }
    try daemon.say(.status(request: request, report))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(75) && output == "")
    #expect(
      complaint
        == "binnacle: the daemon runs; stop it first: sudo systemctl stop binnacled; then: "
        + "binnacle state restore '\(backup)' --force --state \(partition ?? state)\n")
    #expect(!Files.exists(state + "/state.log"))
  }

  @Test func aRestoreBesideADaemonThatRefusesIsNotDone() throws {
    let backup = try makeBackup()
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["state", "restore", backup])
    _ = try daemon.statusRequest()
    try daemon.say(.refused(.init(.notPermitted, "not for this user"), isFinal: true))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(75))
    #expect(
      complaint.hasPrefix("binnacle: the daemon runs (not for this user); stop it first: "),
      "\(complaint)")
    #expect(complaint.contains("--state DIR, where DIR is the daemon's directory"), "\(complaint)")
  }

  @Test func aDaemonReportsItsFolderForReportsAndRestores() throws {
    try Files.writeAtomically(Array("[Track]\nTrack=full\n".utf8), to: folder("track.conf"))
    let daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: folder,
      arguments: ["--board", folder("track.conf")])
    let runtime = ["--runtime", daemon.runtimeDirectory]
    let hasTrack = try eventually { Files.exists(state + "/tracks.log") }
    #expect(hasTrack)
    let status = try run(["status", "--json"] + runtime)
    let path = try Files.resolve(state)
    #expect(status.text.contains("\"state.directory\":\"\(path)\""), "\(status.text)")
    let page = try run(["report", "--html", "-"] + runtime)
    #expect(page.ending == .exited(0))
    #expect(!page.text.contains("There is no stored track") && page.text.contains("Track</h2>"))
    let backup = try run(["state", "backup", folder("backup")] + runtime)
    #expect(backup.ending == .exited(0))
    let restore = try run(["state", "restore", folder("backup")] + runtime)
    #expect(restore.ending == .exited(75))
    #expect(restore.errorText.contains("stop it first"), "\(restore.errorText)")
    #expect(restore.errorText.hasSuffix(" --state \(path)\n"), "\(restore.errorText)")
  }

  // MARK: Without a daemon

  @Test(arguments: [["track"], ["state", "show"], ["state", "backup", "-"]])
  func withoutADaemonTheFolderIsNamed(_ words: [String]) throws {
    let outcome = try run(words + ["--runtime", folder("none")])
    let beginning = "binnacle: reading \(Self.usual)"
    #expect(outcome.errorText.hasPrefix(beginning), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("no daemon"))
  }

  @Test func withoutADaemonARestoreNamesTheFolderThatItReplaces() throws {
    // Without a backup nothing is replaced.
    let outcome = try run(["state", "restore", folder("missing"), "--runtime", folder("none")])
    #expect(outcome.ending == .exited(66))
    let beginning = "binnacle: replacing \(Self.usual): no daemon"
    #expect(outcome.errorText.hasPrefix(beginning), "\(outcome.errorText)")
  }

  @Test func aNamedFolderNeedsNoDaemon() throws {
    try makeTrack()
    let outcome = try run(["track", "--state", state, "--runtime", folder("none")])
    #expect(outcome.ending == .exited(0) && outcome.errorText == "")
    #expect(outcome.text.hasPrefix("2026-11-21T10:15:00.000Z"))
  }
}
