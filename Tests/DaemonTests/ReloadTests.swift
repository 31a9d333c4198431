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

  private func daemon() throws -> RunningDaemon {
    // A daemon that no service manager has started ends with its terminal.
    try RunningDaemon(
      receiver: "/dev/null", directory: directory, arguments: ["--board", directory("board.conf")],
      environment: ["NOTIFY_SOCKET": "@binnacle-test-nobody"])
  }

  @Test func changesOfLocationTakeEffectAndOtherSectionsAreNamed() throws {
    try write("[Location]\nPromptTimeout=5 s\n")
    let daemon = try daemon()
    try write("[Location]\nRestricted=all\n[Motion]\nDwellDefault=90 s\n")
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("profile: the changes of [Location] are in effect"))
    #expect(try daemon.says("profile: restart the daemon for the changes of [Motion]"))
    #expect(try daemon.says("manifests were read again"))
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
  }

  @Test func anUnchangedProfileIsNotTakenIntoEffect() throws {
    try write("[Location]\nPromptTimeout=5 s\n")
    let daemon = try daemon()
    daemon.process.signal(.hangUp)
    #expect(try daemon.says("manifests were read again"))
    #expect(!daemon.logText.contains("profile:"))
  }
}
