import BinnaclePosix
import TestSupport
import Testing

/// SIGHUP makes the daemon read the profile again.
struct ReloadTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ profile: String) throws {
    try Files.writeAtomically(Array(profile.utf8), to: directory("board.conf"))
  }

  /// Whether the only app with a manifest is restricted.
  private func isRestricted(_ daemon: RunningDaemon) throws -> Bool {
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"), ["apps", "--json", "--runtime", daemon.runtimeDirectory])
    #expect(outcome.text.contains("org.example.tests"))
    return outcome.text.contains("\"authorization\":\"restricted\"")
  }

  private func daemon() throws -> RunningDaemon {
    let apps = directory("etc/apps.d")
    try Files.makeDirectory(apps, mode: 0o755, withParents: true)
    let manifest =
      "[App]\nIdentifier=org.example.tests\nExecutable=/bin/sh\nUser=\(Environment.userID)\n"
    try Files.writeAtomically(Array(manifest.utf8), to: apps + "/tests.app")
    // A daemon that no service manager has started ends with its terminal.
    return try RunningDaemon(
      receiver: "/dev/null", directory: directory,
      arguments: ["--board", directory("board.conf"), "--config", directory("etc")],
      environment: ["NOTIFY_SOCKET": "@binnacle-test-nobody"])
  }

  @Test func changesOfLocationTakeEffectAndOtherSectionsAreNamed() throws {
    try write("[Location]\nPromptTimeout=5 s\n")
    let daemon = try daemon()
    #expect(try !isRestricted(daemon))
    try write("[Location]\nRestricted=all\n[Motion]\nDwellDefault=90 s\n")
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("profile: the changes of [Location] are in effect"))
    #expect(try daemon.says("profile: restart the daemon for the changes of [Motion]"))
    #expect(try daemon.says("manifests were read again"))
    #expect(try isRestricted(daemon))
  }

  @Test func aMistakeInTheProfileChangesNothing() throws {
    try write("[Location]\nPromptTimeout=5 s\n")
    let daemon = try daemon()
    try write("[Location]\nRestricted=all\nPromptTimeout=soon\n")
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("profile: the settings stay as they were"))
    #expect(daemon.logText.contains("board.conf:3"))
    #expect(try daemon.says("manifests were read again"))
    #expect(!daemon.logText.contains("are in effect"))
    #expect(try !isRestricted(daemon))
  }

  @Test func anUnchangedProfileIsNotTakenIntoEffect() throws {
    try write("[Location]\nPromptTimeout=5 s\n")
    let daemon = try daemon()
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("manifests were read again"))
    #expect(!daemon.logText.contains("profile:"))
  }
}
