import BinnacleBasics
import BinnaclePosix
import Glibc
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// The program `binnacle-launch` that is killed, stopped and started again, and its apps, which live on.
@Suite(.serialized) struct LauncherRestartTests {
  private let directory: TemporaryDirectory
  private let identifier: String

  init() throws {
    directory = try TemporaryDirectory()
    identifier = "org.test." + (directory.path.split(separator: "-").last ?? "a")
    try Files.makeDirectory(directory("etc/apps.d"), mode: 0o755, withParents: true)
  }

  private func writeManifest(_ script: String) throws {
    let text =
      "[App]\nIdentifier=\(identifier)\nExecutable=/bin/sh\nUser=\(Environment.userID)\n"
      + "Arguments=-c '\(script)'\n"
    try Files.writeAtomically(Array(text.utf8), to: directory("etc/apps.d/a.app"), mode: 0o644)
  }

  private func launcher() throws -> RunningLauncher {
    try RunningLauncher(
      runtimeDirectory: directory.path, configurationDirectory: directory("etc"))
  }

  /// The daemon's end of a connection, with blocking calls.
  private final class Attendant {
    private let socket: LocalSocket
    private var reports: [LaunchReport] = []
    private let identifier: String
    private var lastNumber: UInt32 = 0

    init(_ directory: TemporaryDirectory, _ identifier: String) throws {
      self.identifier = identifier
      socket = try LocalSocket(connectingTo: directory("launch.sock"))
      #expect(try answer(to: .attend) == .done)
      #expect(try next { $0 == .attended } != nil)
    }

    func answer(to kind: LaunchRequest.Kind) throws -> LaunchReport.Answer? {
      lastNumber += 1
      let number = lastNumber
      #expect(try socket.send(LaunchRequest(number: number, kind).encoded))
      let report = try next { if case .answer(number, _) = $0 { true } else { false } }
      guard case .answer(_, let answer)? = report else { return nil }
      return answer
    }

    func answer(to order: LaunchRequest.AppOrder) throws -> LaunchReport.Answer? {
      try answer(to: .order(identifier, order))
    }

    /// The report of the app that runs; nil if there is none.
    var app: LaunchReport.App? {
      for case .running(let app) in reports { return app }
      return nil
    }

    func next(_ isWanted: (LaunchReport) -> Bool) throws -> LaunchReport? {
      var found: LaunchReport?
      var buffer = [UInt8](repeating: 0, count: LaunchReport.sizeMax)
      _ = try eventually {
        while case .packet(let count) = try socket.receive(into: &buffer) {
          reports.append(try #require(LaunchReport(decoding: Array(buffer[..<count]))))
        }
        guard let index = reports.firstIndex(where: isWanted) else { return false }
        found = reports.remove(at: index)
        return true
      }
      return found
    }
  }

  @Test func aLauncherThatIsStartedAfterACrashTakesOverItsApps() throws {
    try writeManifest("trap \"exit 0\" TERM; echo one; while :; do :; done")
    let first = try launcher()
    let before = try Attendant(directory, identifier)
    #expect(try before.answer(to: .start(isForLocation: true)) == .done)
    #expect(try before.next { $0 == .output(identifier, line: "one") } != nil)
    let started = try #require(before.app)
    #expect(try before.answer(to: .freeze) == .done)
    first.process.kill()
    _ = try first.process.wait(limit: .seconds(30))
    #expect(try ProcessStatus(of: started.processID).state != "Z")

    let second = try launcher()
    let after = try Attendant(directory, identifier)
    var frozen = started
    frozen.isFrozen = true
    #expect(after.app == frozen)
    let ticks = processorTicks(of: started.processID)
    useProcessor(for: .milliseconds(100))
    #expect(processorTicks(of: started.processID) == ticks)
    #expect(try after.answer(to: .thaw) == .done)
    #expect(try after.answer(to: .end) == .done)
    // Another process is the parent of the app by now, and knows the status.
    #expect(try after.next { $0 == .ended(identifier, .unknown) } != nil)
    #expect(try Files.list(directory("launched")).isEmpty)
    _ = second
  }

  /// A launcher that a person has started in a terminal ends with the terminal; `nohup` leaves the signal ignored.
  private static let stops: [Signals.Signal] =
    [.terminate, .interrupt] + (Signals.isIgnored(.hangUp) ? [] : [.hangUp])

  @Test(arguments: stops)
  func nothingStaysFrozenWhenTheLauncherIsStopped(_ signal: Signals.Signal) throws {
    try writeManifest("while :; do :; done")
    let first = try launcher()
    let attendant = try Attendant(directory, identifier)
    #expect(try attendant.answer(to: .start(isForLocation: false)) == .done)
    let app = try #require(attendant.app)
    #expect(try attendant.next { $0 == .running(app) } != nil)
    #expect(try attendant.answer(to: .freeze) == .done)
    first.process.signal(signal)
    #expect(try first.process.wait(limit: .seconds(30)) == .exited(0))
    let ticks = processorTicks(of: app.processID)
    #expect(try eventually { processorTicks(of: app.processID) != ticks })
    // The daemon delivers the waiting locations of an app only if it knows that the app continues.
    #expect(try attendant.next { $0 == .running(app) } != nil)

    let second = try launcher()
    let after = try Attendant(directory, identifier)
    #expect(after.app?.isFrozen == false)
    #expect(try after.answer(to: .kill) == .done)
    #expect(try after.next { if case .ended = $0 { true } else { false } } != nil)
    _ = second
  }

  @Test func withoutFreeDescriptorsTheLauncherServesTheConnectionsThatItHas() throws {
    let running = try launcher()
    let attendant = try Attendant(directory, identifier)
    let process = "\(running.process.processID)"
    /// Sets the launcher's limit of open descriptors; the hard limit stays.
    func limitDescriptors(to count: Int) throws {
      let words = ["--pid", process, "--nofile=\(count):"]
      let outcome = try ChildProcess.run("prlimit", words)
      try #require(outcome.ending == .exited(0))
    }
    let open = Set(try Files.list("/proc/\(process)/fd").compactMap { Int($0) })
    // The launcher has all descriptors below this limit.
    let firstFree = (0...open.count).first { !open.contains($0) }
    try limitDescriptors(to: try #require(firstFree))
    let start = Clock.now
    let waiting = try LocalSocket(connectingTo: directory("launch.sock"))
    func reportCount() -> Int {
      running.logText.split(separator: "\n")
        .count { $0.contains("no connection is accepted for a second") }
    }
    #expect(try eventually { reportCount() > 0 })
    #expect(try attendant.answer(to: .attend) == .done)
    #expect(try eventually { reportCount() > 2 })
    // The waiting connection must not keep the launcher busy.
    #expect(Clock.now - start > .milliseconds(1_900))
    try limitDescriptors(to: 256)
    _ = try Attendant(directory, identifier)
    withExtendedLifetime(waiting) {}
  }

  @Test func anAppThatEndsWithoutALauncherIsCleanedUp() throws {
    try writeManifest("while :; do :; done & while :; do :; done")
    let first = try launcher()
    let attendant = try Attendant(directory, identifier)
    #expect(try attendant.answer(to: .start(isForLocation: false)) == .done)
    let app = try #require(attendant.app)
    #expect(try eventually { processes(ofSession: app.processID).count == 2 })
    first.process.kill()
    _ = try first.process.wait(limit: .seconds(30))
    kill(app.processID, SIGKILL)
    #expect(try eventually { processes(ofSession: app.processID).count == 1 })
    let second = try launcher()
    let after = try Attendant(directory, identifier)
    #expect(after.app == nil)
    #expect(try Files.list(directory("launched")).isEmpty)
    // Only a control group names the processes for certain.
    if app.group == .session { kill(-app.processID, SIGKILL) }
    #expect(try eventually { processes(ofSession: app.processID).isEmpty })
    _ = second
  }

  @Test func aRecordOfAnotherProcessWithTheSameNumberIsRemoved() throws {
    try writeManifest("exit 0")
    let own = try ProcessStatus(of: Environment.processID)
    let folder = try LaunchFolder(runtimeDirectory: directory.path)
    let right = LaunchRecord(
      processID: Environment.processID, startTicks: own.startTicks, bootID: ProcessStatus.bootID,
      userID: Environment.userID, isFrozen: false, group: nil)
    var reused = right
    reused.startTicks -= 1
    var ofOtherBoot = right
    ofOtherBoot.bootID = "80313d9d-0000-4642-b4e9-f8a4e78af7cb"
    for record in [reused, ofOtherBoot] {
      try folder.keep(record, of: identifier)
      let apps = try LaunchedApps(
        configurationDirectory: directory("etc"), runtimeDirectory: directory.path, place: nil
      ) { _ in }
      #expect(apps.apps.isEmpty)
      #expect(try Files.list(folder.path).isEmpty)
    }
    // The control: the same record without a mistake is taken over.
    try folder.keep(right, of: identifier)
    let apps = try LaunchedApps(
      configurationDirectory: directory("etc"), runtimeDirectory: directory.path, place: nil
    ) { _ in }
    #expect(apps.apps.map(\.process.processID) == [Environment.processID])
  }

  @Test func aDamagedRecordIsReportedAndRemoved() throws {
    let folder = try LaunchFolder(runtimeDirectory: directory.path)
    try Files.writeAtomically(
      Array("binnacle-launch 1\nprocess 1\n".utf8), to: folder.path + "/a.b.run")
    var complaints: [String] = []
    let apps = try LaunchedApps(
      configurationDirectory: directory("etc"), runtimeDirectory: directory.path, place: nil
    ) { complaints.append($0) }
    #expect(apps.apps.isEmpty)
    #expect(complaints == ["a.b: its record is damaged and was removed"])
    #expect(try Files.list(folder.path).isEmpty)
  }

  @Test func theFilesOfAppsAreForTheLaunchersUserOnly() throws {
    try writeManifest("while :; do :; done")
    let running = try launcher()
    let attendant = try Attendant(directory, identifier)
    #expect(try attendant.answer(to: .start(isForLocation: false)) == .done)
    #expect(try Files.status(of: directory("launched")).mode == 0o700)
    for suffix in [".run", ".out"] {
      #expect(try Files.status(of: directory("launched/" + identifier + suffix)).mode == 0o600)
    }
    #expect(try Files.status(of: directory("launch.sock")).mode == 0o600)
    #expect(try attendant.answer(to: .kill) == .done)
    #expect(try attendant.next { if case .ended = $0 { true } else { false } } != nil)
    _ = running
  }
}
