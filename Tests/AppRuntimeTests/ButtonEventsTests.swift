import AppRuntime
import BinnacleBasics
import BinnaclePosix
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// Presses of buttons, from a virtual board over the real daemon to the loop of an app.
@Suite(.timeLimit(.minutes(5)))
struct ButtonEventsTests {
  private static let app = "org.example.presses"
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Files.makePrivateDirectory(directory("runtime"), mode: 0o700, withParents: true)
  }

  /// A daemon for which this process is an app with a manifest.
  private func startDaemon() throws -> RunningDaemon {
    let virtual = try Files.read(TestData.packageRoot + "/boards/virtual.conf")
    let board = directory("presses.conf")
    try Files.writeAtomically(
      virtual + Array("\n[Button ALLOW]\nShort=mark\n".utf8), to: board)
    let apps = directory("config") + "/apps.d"
    try Files.makePrivateDirectory(apps, mode: 0o700, withParents: true)
    let program = try #require(Environment.executablePath)
    let manifest =
      "[App]\nIdentifier=\(ButtonEventsTests.app)\nExecutable=\(program)\nUser=\(Environment.userID)\n"
    try Files.writeAtomically(Array(manifest.utf8), to: apps + "/presses.app")
    return try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: directory,
      arguments: ["--board", board, "--config", directory("config")])
  }

  private func binnacle(_ words: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), words + ["--runtime", directory("runtime")])
  }

  @Test func aPressReachesTheAppWhileItIsInTheForeground() async throws {
    let board = try RunningBoard(path: directory("runtime/board.sock"))
    let daemon = try startDaemon()
    let runtime = directory("runtime")
    let connection = DaemonConnection(program: "presses") { runtime }
    let storage = ButtonsStorage { connection }
    var events = ButtonEvents { storage }.makeAsyncIterator()
    let isConnected = try eventually {
      try binnacle("foreground", ButtonEventsTests.app).ending == .exited(0)
    }
    try #require(isConnected)
    let before = Date(timeIntervalSinceNow: -1)
    try pressUntil("programs informed: 1", daemon)
    let event = try #require(await events.next())
    #expect(event.button == "ALLOW" && event.gesture == .short)
    #expect((before...Date(timeIntervalSinceNow: 1)).contains(event.timestamp))
    #expect(try binnacle("background", ButtonEventsTests.app).ending == .exited(0))
    try pressUntil("no program in the foreground waits for presses", daemon)
    #expect(!daemon.logText.contains("programs informed: 2"))
    withExtendedLifetime((board, connection)) {}
  }

  /// Presses until the daemon reports an outcome: on a busy machine a press may last too long to be short.
  private func pressUntil(_ words: String, _ daemon: RunningDaemon) throws {
    let isSaid = try eventually(within: .seconds(120)) {
      _ = try binnacle("press", "ALLOW")
      return try daemon.says(words, within: .seconds(3))
    }
    try #require(isSaid)
  }
}
