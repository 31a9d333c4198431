import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

/// The daemon, the launcher and an app, as three programs.
@Suite(.serialized) struct LaunchedAppTests {
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
      + "WhenInUseUsageDescription=Tests.\nArguments=-c '\(script)'\n"
    try Files.writeAtomically(Array(text.utf8), to: directory("etc/apps.d/a.app"), mode: 0o644)
  }

  private func binnacle(_ words: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), words + ["--runtime", directory("runtime")])
  }

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon(
      receiver: "/dev/null", directory: directory, arguments: ["--config", directory("etc")])
  }

  private func launcher(of daemon: RunningDaemon) throws -> RunningLauncher {
    try RunningLauncher(
      runtimeDirectory: daemon.runtimeDirectory, configurationDirectory: directory("etc"))
  }

  @Test func aProgramThatALaunchedAppStartsIsTheApp() throws {
    try writeManifest("\(Programs.path("binnacle")) watch --json; echo end")
    let daemon = try daemon()
    let launcher = try launcher(of: daemon)
    #expect(try eventually { try binnacle("start", identifier).ending == .exited(0) })
    #expect(try daemon.says("(binnacle watch)"))
    #expect(try daemon.says("connected as app \(identifier)"))
    #expect(try binnacle("apps", "--json").text.contains("\"id\":\"\(identifier)\""))
    #expect(try binnacle("quit", identifier).ending == .exited(0))
    _ = launcher
  }

  @Test func theOutputOfALaunchedAppIsShown() throws {
    try writeManifest("echo one; echo two >&2; while :; do sleep 1; done")
    let daemon = try daemon()
    #expect(try binnacle("output", identifier).text == "")
    let launcher = try launcher(of: daemon)
    #expect(try eventually { try binnacle("start", identifier).ending == .exited(0) })
    #expect(try eventually { try binnacle("output", identifier).text == "one\ntwo\n" })
    let object = try binnacle("output", identifier, "--json").text
    #expect(object.hasPrefix("{\"id\":\"\(identifier)\",\"at\":\"20"))
    #expect(object.contains("\"line\":\"two\"}\n"))
    let follower = try ChildProcess(
      Programs.path("binnacle"),
      ["output", identifier, "-f", "--runtime", directory("runtime")], output: .pipe)
    #expect(try binnacle("quit", identifier).ending == .exited(0))
    #expect(try binnacle("start", identifier).ending == .exited(0))
    var text: [UInt8] = []
    #expect(
      try eventually {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while let count = try follower.readOutput(into: &chunk), count > 0 {
          text += chunk[..<count]
        }
        return String(decoding: text, as: UTF8.self) == "one\ntwo\none\ntwo\n"
      })
    #expect(try follower.terminate() == .exited(0))
    let unknown = try binnacle("output", "org.example.nothing")
    #expect(unknown.ending == .exited(65))
    #expect(try binnacle("quit", identifier).ending == .exited(0))
    _ = launcher
  }

  @Test func anAppLivesOnWhenTheDaemonAndTheLauncherAreKilled() throws {
    try writeManifest("echo started; while :; do sleep 1; done")
    var daemon = try daemon()
    var launcher = try launcher(of: daemon)
    #expect(try eventually { try binnacle("start", identifier).ending == .exited(0) })
    let record = directory("runtime/launched/\(identifier).run")
    let before = try Files.read(record)
    daemon.process.kill()
    _ = try daemon.process.wait(limit: .seconds(30))
    daemon = try self.daemon()
    launcher.process.kill()
    _ = try launcher.process.wait(limit: .seconds(30))
    launcher = try self.launcher(of: daemon)
    #expect(try Files.read(record) == before)
    #expect(try eventually { try binnacle("quit", identifier).ending == .exited(0) })
    #expect(try eventually { !Files.exists(record) })
  }
}
