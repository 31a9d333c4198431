import BinnacleBasics
import BinnaclePosix
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// The parts of the launcher without processes.
@Suite struct LauncherPartsTests {
  @Test func theOwnControlGroupIsFoundWhereverTheHierarchyIsMounted() {
    let hybrid =
      "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
      + "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
      + "41 31 0:38 / /sys/fs/cgroup/unified rw shared:9 master:1 - cgroup2 cgroup2 rw\n"
    #expect(
      ControlGroupPlace.directories(mounts: hybrid, group: "/") == ["/sys/fs/cgroup/unified"])
    #expect(
      ControlGroupPlace.directories(mounts: hybrid, group: "/system.slice/a.service")
        == ["/sys/fs/cgroup/unified/system.slice/a.service"])
    let odd = "41 31 0:38 /box /mnt/with\\040blank rw - cgroup2 none rw\n"
    #expect(
      ControlGroupPlace.directories(mounts: odd, group: "/box/a") == ["/mnt/with blank/a"])
    #expect(ControlGroupPlace.directories(mounts: odd, group: "/box") == ["/mnt/with blank"])
    #expect(ControlGroupPlace.directories(mounts: odd, group: "/boxes/a").isEmpty)
    #expect(ControlGroupPlace.directories(mounts: "", group: "/").isEmpty)
    #expect(ControlGroupPlace.directories(mounts: hybrid, group: "").isEmpty)
  }

  @Test func aRecordIsReadBackAndADamagedOneIsRefused() {
    var record = LaunchRecord(
      processID: 7, startTicks: 99, bootID: "a-b", userID: 1_000, isFrozen: true, group: nil)
    #expect(LaunchRecord(text: record.text) == record)
    record.group = .init(
      directory: "/sys/fs/cgroup/with blank/app-a.b",
      identity: FileIdentity(device: 30, number: 4_711), name: "/with blank/app-a.b")
    let text = record.text
    #expect(LaunchRecord(text: text) == record)
    #expect(LaunchRecord(text: text + "more 1\n") == nil)
    let lines = text.split(separator: "\n")
    for count in 0..<lines.count where count != 6 {
      #expect(LaunchRecord(text: lines.prefix(count).joined(separator: "\n") + "\n") == nil)
    }
    #expect(LaunchRecord(text: String(text.dropLast())) == nil)
  }

  private func take(_ lines: inout OutputLines, _ text: String, at now: Instant = .zero)
    -> [OutputLines.Item]
  {
    lines.take(Array(text.utf8)[...], at: now)
  }

  @Test func aLineComesInPiecesAndALongOneIsCut() {
    var lines = OutputLines()
    #expect(take(&lines, "on").isEmpty)
    #expect(take(&lines, "e\r\n\ntw") == [.line("one"), .line("")])
    #expect(take(&lines, "o" + String(repeating: "a", count: 5_000)).isEmpty)
    let cut = take(&lines, "b\nc\n")
    #expect(cut == [.line("two" + String(repeating: "a", count: 997)), .line("c")])
    #expect(take(&lines, "rest").isEmpty)
    #expect(lines.finish(at: .zero) == [.line("rest")])
    #expect(lines.finish(at: .zero).isEmpty)
  }

  @Test func aLineThatIsNoTextFitsIntoAReport() {
    var lines = OutputLines()
    let bytes = [UInt8](repeating: 0xFF, count: 1_000) + [10]
    let items = lines.take(bytes[...], at: .zero)
    guard case .line(let line)? = items.first else {
      Issue.record("\(items)")
      return
    }
    #expect(line.utf8.count <= LaunchReport.lineSizeMax && line.utf8.count > 990)
  }

  @Test func linesBeyondTheLimitOfAMinuteAreCountedAtItsEnd() {
    var lines = OutputLines()
    let now = Instant.zero + .seconds(100)
    #expect(take(&lines, String(repeating: "a\n", count: 203), at: now).count == 200)
    #expect(lines.nextDeadline == now + .seconds(60))
    #expect(take(&lines, "b\n", at: now + .seconds(59)).isEmpty)
    #expect(lines.deadlineReached(at: now + .seconds(60)) == [.lost(4)])
    #expect(lines.nextDeadline == nil)
    #expect(take(&lines, "c\n", at: now + .seconds(60)) == [.line("c")])
    #expect(take(&lines, "d\n", at: now + .seconds(500)) == [.line("d")])
  }

  @Test func aFileIsTrustedOnlyIfNoOtherUserCanChangeItOrItsDirectories() throws {
    let directory = try TemporaryDirectory()
    let trust = FileTrust(mayChangeUser: false, userID: Environment.userID)
    try Files.makeDirectory(directory("a/b"), mode: 0o755, withParents: true)
    let file = directory("a/b/file")
    try Files.writeAtomically([], to: file, mode: 0o644)
    #expect(trust.refusal(of: file) == nil)
    for (path, mode) in [
      (file, 0o666), (file, 0o664), (file, 0o646), (directory("a/b"), 0o777),
      (directory("a/b"), 0o1777),
      (directory("a"), 0o775), (directory("a"), 0o1777),
    ] as [(String, UInt32)] {
      let kept = try Files.status(of: path).mode
      try Files.share(path, groupID: nil, mode: mode)
      // The sticky bit protects the directories in a directory; but others may add manifests and drop-ins.
      let isRefused = !(path == directory("a") && mode == 0o1777)
      #expect((trust.refusal(of: file) != nil) == isRefused, "\(path) \(mode)")
      #expect(trust.refusal(of: path) != nil)
      try Files.share(path, groupID: nil, mode: kept)
    }
    // A link in a directory of others, and a link to a file of others.
    try Files.makeDirectory(directory("open"), mode: 0o777)
    try Files.makeLink(directory("open/link"), to: file)
    #expect(trust.refusal(of: directory("open/link")) != nil)
    try Files.writeAtomically([], to: directory("open/file"), mode: 0o644)
    try Files.makeLink(directory("a/link"), to: directory("open/file"))
    #expect(trust.refusal(of: directory("a/link")) != nil)
    let ofOthers = FileTrust(mayChangeUser: false, userID: 12_345)
    #expect((ofOthers.refusal(of: file) != nil) == (Environment.userID != 0))
    #expect(FileTrust(mayChangeUser: true, userID: 12_345).userIDs == [0])
  }

  @Test func aLauncherOfAnOrdinaryUserStartsOnlyAppsOfThisUser() throws {
    let directory = try TemporaryDirectory()
    try Files.makeDirectory(directory("etc/apps.d"), mode: 0o755, withParents: true)
    let user = Environment.userID
    let text = "[App]\nIdentifier=a.b\nExecutable=/bin/true\nUser=\(user)\n"
    try Files.writeAtomically(Array(text.utf8), to: directory("etc/apps.d/a.app"), mode: 0o644)
    func programs(_ userID: UInt32) -> AppPrograms {
      AppPrograms(
        configurationDirectory: directory("etc"), runtimeDirectory: "/run/x",
        mayChangeUser: false, userID: userID)
    }
    let found = try programs(user).program(of: "a.b", isForLocation: false)
    #expect(found.program.user == nil && found.userID == user)
    #expect(found.program.environment.contains("BINNACLE_LAUNCHED=person"))
    if user == 0 {
      #expect(throws: AppPrograms.Refusal.self) {
        try programs(12_345).program(of: "a.b", isForLocation: false)
      }
    }
  }
}
