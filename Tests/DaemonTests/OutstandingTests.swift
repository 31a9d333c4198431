import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// Outstanding updates of apps, over the end of the app and of the real daemon.
struct OutstandingTests {
  private let directory: TemporaryDirectory
  private let configuration: String

  init() throws {
    directory = try TemporaryDirectory()
    configuration = directory("etc")
    try Files.makeDirectory(configuration + "/boards", mode: 0o755, withParents: true)
    let profile = "[Receiver]\nDevice=/dev/null\n[Clients]\nRejoinWindow=1 s\n"
    try Files.writeAtomically(Array(profile.utf8), to: configuration + "/boards/test.conf")
  }

  private func start(isHasty: Bool = false) throws -> RunningDaemon {
    let board = isHasty ? ["--config", configuration, "--board", "test"] : []
    return try RunningDaemon(receiver: "/dev/null", directory: directory, arguments: board)
  }

  /// A client of this program, with these sequences.
  private func client(
    of daemon: RunningDaemon, _ configurations: LiveConfiguration...
  ) throws -> RawClient {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    for (number, configuration) in configurations.enumerated() {
      try client.say(.openUpdates(SequenceID(number: UInt32(number)), configuration))
    }
    return client
  }

  @Test func anAppResumesItsUpdatesAfterAKilledDaemon() throws {
    let first = try start()
    let app = try client(of: first, .default, .fitness)
    #expect(try eventually { try app.status()?["outstanding.1.is_kept"] == .flag(true) })
    first.process.kill()
    _ = try first.process.wait(limit: .seconds(30))

    let second = try start()
    #expect(try second.says("outstanding from before: default 1, fitness 1"))
    let again = try client(of: second, .fitness, .default)
    let report = try #require(try again.status())
    #expect(report["outstanding.rejoined"] == .integer(2))
    #expect(report["outstanding.sequences"] == .integer(2))
    #expect(report["outstanding.1.is_kept"] == .flag(true))
  }

  @Test func updatesThatNoAppResumesLapse() throws {
    let first = try start(isHasty: true)
    let app = try client(of: first, .default)
    #expect(try eventually { try app.status()?["outstanding.1.is_kept"] == .flag(true) })
    first.process.kill()
    _ = try first.process.wait(limit: .seconds(30))

    let second = try start(isHasty: true)
    #expect(try second.says("lapsed, not taken up within 1.0 s: default 1"))
    _ = try second.process.terminate()
    // At its clean stop that was written.
    let third = try start(isHasty: true)
    let report = try #require(try client(of: third).status())
    #expect(report["outstanding.apps"] == .integer(0))
    #expect(report["outstanding.lapsed"] == .integer(0))
  }
}
