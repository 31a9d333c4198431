import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Board
import TestSupport
import Testing

@testable import Daemon

struct AppRegistryTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static func shelf(_ apps: (identifier: String, executable: String, user: String)...)
    -> AppShelf
  {
    var shelf = AppShelf()
    for app in apps {
      let text =
        "[App]\nIdentifier=\(app.identifier)\nExecutable=\(app.executable)\nUser=\(app.user)\n"
      shelf.take([SettingsFile(path: app.identifier, bytes: Array(text.utf8))])
    }
    return shelf
  }

  private func program(_ path: String) throws -> PeerProcess.Program {
    PeerProcess.Program(path: path, version: try FileVersion(ofFileAt: path))
  }

  @Test func anAppIsItsUserAndItsProgram() throws {
    for name in ["a", "c"] { try Files.writeAtomically([], to: directory(name)) }
    let (a, c) = (try program(directory("a")), try program(directory("c")))
    let registry = AppRegistry(
      AppRegistryTests.shelf(
        ("org.example.a", a.path, "1000"), ("org.example.b", a.path, "root"),
        ("org.example.c", c.path, "no-such-user-here")))
    #expect(registry.finding(userID: 1_000, program: a).app == .listed("org.example.a"))
    #expect(registry.finding(userID: 0, program: a).app == .listed("org.example.b"))
    #expect(
      registry.finding(userID: 7, program: a).app == .unlisted(userID: 7, executable: a.path))
    #expect(
      registry.finding(userID: 1_000, program: c).app
        == .unlisted(userID: 1_000, executable: c.path))
  }

  @Test func aLinkInAManifestLeadsToTheProgram() throws {
    try Files.writeAtomically([], to: directory("program"))
    try Files.makeLink(directory("link"), to: directory("program"))
    let registry = AppRegistry(AppRegistryTests.shelf(("org.example.a", directory("link"), "0")))
    let finding = registry.finding(userID: 0, program: try program(directory("program")))
    #expect(finding.app == .listed("org.example.a") && finding.note == nil)
  }

  @Test func anotherFileAtThePathOfAManifestIsAnotherProgram() throws {
    for name in ["app", "other"] { try Files.writeAtomically([], to: directory(name)) }
    let registry = AppRegistry(AppRegistryTests.shelf(("org.example.a", directory("app"), "0")))
    // The process sees the other file at the app's path: it has mounted it there, or the app was replaced.
    let impostor = PeerProcess.Program(
      path: directory("app"), version: try FileVersion(ofFileAt: directory("other")))
    let finding = registry.finding(userID: 0, program: impostor)
    #expect(finding.app == .unlisted(userID: 0, executable: directory("app")))
    #expect(finding.note?.contains("is not the file") == true)
    // The same file under another path is the app: in a container, or by a second name.
    let elsewhere = PeerProcess.Program(
      path: "/opt/app", version: try FileVersion(ofFileAt: directory("app")))
    #expect(registry.finding(userID: 0, program: elsewhere).app == .listed("org.example.a"))
  }

  /// The apps of all clients that a report shows.
  private static func apps(_ report: Report?) -> [Report.Value] {
    report?.items.filter { $0.name.hasPrefix("clients.") && $0.name.hasSuffix(".app") }
      .map { $0.value } ?? []
  }

  @Test func appsOfTheDaemonsOwnUserAreShownInTheReport() throws {
    let program = try #require(Environment.executablePath)
    let apps = directory("etc/apps.d")
    try Files.makeDirectory(apps, mode: 0o755, withParents: true)
    let daemon = try RunningDaemon(
      receiver: "/dev/null", directory: directory, arguments: ["--config", directory("etc")])
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    let user = Environment.userID
    #expect(try AppRegistryTests.apps(client.status()) == [.text("\(user):\(program)")])
    _ = try daemon.process.terminate()

    let manifest = "[App]\nIdentifier=org.example.tests\nExecutable=\(program)\nUser=\(user)\n"
    try Files.writeAtomically(Array(manifest.utf8), to: apps + "/tests.app")
    try Files.writeAtomically(Array("x".utf8), to: apps + "/wrong.app")
    let listing = try RunningDaemon(
      receiver: "/dev/null", directory: directory, arguments: ["--config", directory("etc")])
    #expect(try listing.says("apps: \(apps)/wrong.app:1: 'x' is not an assignment"))
    let listed = try RawClient(listing.socketPath)
    try listed.greet()
    let report = try listed.status()
    #expect(AppRegistryTests.apps(report) == [.text("org.example.tests")])
    #expect(report?["apps.count"] == .integer(1))
    #expect(report?["apps.mistakes"] == .integer(1))
    #expect(try listing.says("connected as app org.example.tests"))
  }

  /// The app of a connected client does not change.
  @Test func aClientWhoseAppChangesMustReconnect() throws {
    let program = try #require(Environment.executablePath)
    let apps = directory("etc/apps.d")
    try Files.makeDirectory(apps, mode: 0o755, withParents: true)
    let user = Environment.userID
    // A daemon that no service manager has started ends with its terminal.
    let daemon = try RunningDaemon(
      receiver: "/dev/null", directory: directory, arguments: ["--config", directory("etc")],
      environment: ["NOTIFY_SOCKET": "@binnacle-test-nobody"])
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("manifests were read again, of 0 apps"))
    #expect(try AppRegistryTests.apps(client.status()) == [.text("\(user):\(program)")])

    let manifest = "[App]\nIdentifier=org.example.tests\nExecutable=\(program)\nUser=\(user)\n"
    try Files.writeAtomically(Array(manifest.utf8), to: apps + "/tests.app")
    daemon.process.signal(.hangUp)
    #expect(try client.reasonOfEnd() == .stopping)
    let again = try RawClient(daemon.socketPath)
    try again.greet()
    #expect(try AppRegistryTests.apps(again.status()) == [.text("org.example.tests")])

    try Files.writeAtomically(Array("x".utf8), to: apps + "/tests.app")
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("the manifests stay as they were"))
    #expect(try AppRegistryTests.apps(again.status()) == [.text("org.example.tests")])
    #expect(try again.status()?["apps.count"] == .integer(1))
  }
}
