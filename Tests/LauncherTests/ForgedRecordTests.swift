import BinnacleBasics
import BinnaclePosix
import Glibc
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// Records that the launcher has not written: the daemon has the same user, and a daemon that is taken over can write any record.
@Suite(.serialized) struct ForgedRecordTests {
  private let directory: TemporaryDirectory
  private let identifier: String
  private let folder: LaunchFolder
  /// A process that the launcher has not started.
  private let victim: ChildProcess

  init() throws {
    directory = try TemporaryDirectory()
    identifier = "org.test." + (directory.path.split(separator: "-").last ?? "a")
    folder = try LaunchFolder(runtimeDirectory: directory.path)
    victim = try ChildProcess("/bin/sleep", ["600"])
  }

  private func writeManifest(user: String = "\(Environment.userID)") throws {
    try Files.makeDirectory(directory("etc/apps.d"), mode: 0o755, withParents: true)
    let text = "[App]\nIdentifier=\(identifier)\nExecutable=/bin/sleep\nUser=\(user)\n"
    try Files.writeAtomically(Array(text.utf8), to: directory("etc/apps.d/a.app"), mode: 0o644)
  }

  /// A record of the victim as the app's first process.
  private func record(user: UInt32 = Environment.userID) throws -> LaunchRecord {
    LaunchRecord(
      processID: victim.processID, startTicks: try ProcessStatus(of: victim.processID).startTicks,
      bootID: ProcessStatus.bootID, userID: user, isFrozen: true, group: nil)
  }

  /// A launcher that has read a record; its complaints.
  private func launcher(
    reading record: LaunchRecord, _ place: ControlGroupPlace? = nil
  ) throws -> (apps: LaunchedApps, complaints: [String]) {
    try folder.keep(record, of: identifier)
    var complaints: [String] = []
    let apps = try LaunchedApps(
      configurationDirectory: directory("etc"), runtimeDirectory: directory.path, place: place
    ) { complaints.append($0) }
    return (apps, complaints)
  }

  /// Whether the victim sleeps as before.
  private func isVictimWell() throws -> Bool {
    try ProcessStatus(of: victim.processID).state == "S"
  }

  private func expectNoApp(
    reading record: LaunchRecord, _ place: ControlGroupPlace? = nil
  ) throws {
    let found = try launcher(reading: record, place)
    #expect(found.apps.apps.isEmpty)
    #expect(found.complaints.count { $0.hasPrefix(identifier) } == 1, "\(found.complaints)")
    #expect(try isVictimWell())
    #expect(try Files.list(folder.path).isEmpty)
  }

  @Test func aProcessWithoutAManifestIsNotTakenOver() throws {
    try expectNoApp(reading: try record())
  }

  @Test func aProcessWhoseManifestIsNotTrustedIsNotTakenOver() throws {
    try writeManifest()
    try Files.share(directory("etc/apps.d/a.app"), groupID: nil, mode: 0o666)
    try expectNoApp(reading: try record())
  }

  @Test func theProcessOfAManifestIsTakenOver() throws {
    try writeManifest()
    var record = try record()
    record.isFrozen = false
    let apps = try launcher(reading: record).apps.apps
    #expect(apps.map(\.process.processID) == [victim.processID])
  }

  @Test(.enabled(if: Environment.userID == 0, "only root may start apps of other users"))
  func aProcessOfAnotherUserThanTheManifestsIsNotTakenOver() throws {
    try writeManifest(user: "nobody")
    let nobody = try #require(Users.entry(of: "nobody")).userID
    try expectNoApp(reading: try record())
    try expectNoApp(reading: try record(user: nobody))
    try writeManifest()
    try expectNoApp(reading: try record(user: nobody))
  }

  // MARK: Control groups

  private static let hasGroups = LauncherUnderTest.kinds.contains(true)

  /// A record of a control group below the launcher's own, which has the victim.
  private func record(
    inGroup group: ControlGroup, first process: Int32? = nil
  ) throws -> LaunchRecord {
    var record = try record()
    let name = try #require(group.name(shownFor: victim.processID))
    record.group = .init(directory: group.path, identity: group.identity, name: name)
    if let process { record.processID = process }
    return record
  }

  private func group(named name: String, _ place: ControlGroupPlace) throws -> ControlGroup {
    let path = place.directory + "/" + name
    #expect(mkdir(path, 0o755) == 0)
    let group = try ControlGroup(path: path)
    try group.add(victim.processID)
    return group
  }

  private func remove(_ group: ControlGroup) throws {
    victim.kill()
    _ = try victim.wait(limit: .seconds(30))
    #expect(try eventually { rmdir(group.path) == 0 })
  }

  @Test(.enabled(if: hasGroups, "only root may make control groups"))
  func aLauncherWithControlGroupsTakesOverNoProcessOutsideOfThem() throws {
    try writeManifest()
    try expectNoApp(reading: try record(), try ControlGroupPlace())
  }

  @Test(.enabled(if: hasGroups, "only root may make control groups"))
  func aGroupOfAnotherNameIsNeitherFrozenNorKilled() throws {
    try writeManifest()
    let place = try ControlGroupPlace()
    let group = try group(named: "other-" + identifier, place)
    defer { try? remove(group) }
    try expectNoApp(reading: try record(inGroup: group), place)
    #expect(!group.state.isFrozen)
    // The first process has ended, so the launcher would kill the others.
    let ended = try ChildProcess("/bin/true")
    _ = try ended.wait(limit: .seconds(30))
    let found = try launcher(
      reading: try record(inGroup: group, first: ended.processID), place)
    #expect(found.apps.apps.isEmpty)
    #expect(try isVictimWell())
  }

  @Test(.enabled(if: hasGroups, "only root may make control groups"))
  func aProcessBesideTheGroupOfTheAppIsNotTakenOver() throws {
    try writeManifest()
    let place = try ControlGroupPlace()
    let group = try group(named: "app-" + identifier, place)
    defer { try? remove(group) }
    var record = try record(inGroup: group)
    record.processID = Environment.processID
    record.startTicks = try ProcessStatus(of: Environment.processID).startTicks
    record.isFrozen = false
    try expectNoApp(reading: record, place)
  }

  /// The control of the tests above.
  @Test(.enabled(if: hasGroups, "only root may make control groups"))
  func aProcessInTheGroupOfTheAppIsTakenOver() throws {
    try writeManifest()
    let place = try ControlGroupPlace()
    let group = try group(named: "app-" + identifier, place)
    defer { try? remove(group) }
    var record = try record(inGroup: group)
    record.isFrozen = false
    let apps = try launcher(reading: record, place).apps.apps
    #expect(apps.map(\.process.processID) == [victim.processID])
  }
}
