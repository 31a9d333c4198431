import AppRuntime
import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// Tests values of an app with the real daemon, across a crash of the daemon, and without a daemon.
@Suite(.timeLimit(.minutes(10)))
struct DeviceDefaultsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func start() throws -> RunningDaemon {
    try RunningDaemon(receiver: "/dev/binnacle-none", directory: directory)
  }

  /// As another process of the app would have it: with a connection of its own.
  private func defaults() -> DeviceDefaults {
    let runtime = directory("runtime")
    let connection = DaemonConnection(program: "test") { runtime }
    let storage = DefaultsStorage { connection }
    return DeviceDefaults { storage }
  }

  private func kill(_ daemon: RunningDaemon) throws {
    daemon.process.kill()
    _ = try daemon.process.wait(limit: .seconds(60))
  }

  private func status(_ name: String) throws -> String? {
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"), ["status", "--all", "--runtime", directory("runtime")])
    return outcome.text.split(separator: "\n")
      .first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.map(String.init)
  }

  @Test func keptValuesSurviveAKilledDaemon() async throws {
    let daemon = try start()
    let app = defaults()
    app.set(true, forKey: "liveUpdatesStarted")
    app.set(-7, forKey: "n")
    app.set(2.5, forKey: "x")
    app.set("Größe", forKey: "text")
    app.set(Data([1, 2, 3]), forKey: "bytes")
    #expect(app.bool(forKey: "liveUpdatesStarted"))
    try await app.flush()
    try kill(daemon)
    let next = try start()
    for again in [defaults(), app] {
      #expect(again.bool(forKey: "liveUpdatesStarted"))
      #expect(again.integer(forKey: "n") == -7)
      #expect(again.double(forKey: "x") == 2.5)
      #expect(again.string(forKey: "text") == "Größe")
      #expect(again.data(forKey: "bytes") == Data([1, 2, 3]))
    }
    try kill(next)
  }

  @Test func registeredValuesCountWhileThereAreNoOthers() async throws {
    let daemon = try start()
    let app = defaults()
    app.register(defaults: ["on": true, "n": 3])
    app.register(defaults: ["n": 4])
    #expect(app.bool(forKey: "on") && app.integer(forKey: "n") == 4)
    app.set(false, forKey: "on")
    app.set(nil, forKey: "n")
    #expect(!app.bool(forKey: "on") && app.integer(forKey: "n") == 4)
    try await app.flush()
    app.removeObject(forKey: "on")
    #expect(app.bool(forKey: "on"))
    try await app.flush()
    // Registered defaults are not stored.
    #expect(!defaults().bool(forKey: "on"))
    try kill(daemon)
  }

  @Test func spellingsOfUserDefaultsWork() async throws {
    let daemon = try start()
    let app = defaults()
    app.setValue(true, forKey: "liveUpdatesStarted")
    app.setValue("Größe", forKey: "text")
    app.set(Float(0.5), forKey: "x")
    app.register(defaults: ["n": 3])
    #expect(app.value(forKey: "liveUpdatesStarted") as? Bool == true)
    #expect(app.object(forKey: "text") as? String == "Größe")
    #expect(app.float(forKey: "x") == 0.5)
    #expect(app.object(forKey: "n") as? Int == 3)
    #expect(app.object(forKey: "none") == nil)
    app.setValue(nil, forKey: "text")
    #expect(app.value(forKey: "text") == nil)
    try await app.flush()
    #expect(defaults().bool(forKey: "liveUpdatesStarted"))
    try kill(daemon)
  }

  /// Between commit and answer too: whenever the daemon dies, all is there in the end, and never a later change without
  /// those before it.
  @Test func aDaemonThatIsKilledAgainAndAgainLosesNothing() async throws {
    let app = defaults()
    var daemon = try start()
    var acknowledged = 0
    var number = 0
    for round in 1...6 {
      for _ in 0..<3 {
        number += 1
        app.set(number, forKey: "first")
        app.set(number, forKey: "second")
        try await app.flush()
        acknowledged = number
      }
      let hurry = Task { [number] in
        for later in 1...200 {
          app.set(number + later, forKey: "first")
          app.set(number + later, forKey: "second")
          if later % (7 * round) == 0 { await Task.yield() }
        }
      }
      try kill(daemon)
      await hurry.value
      number += 200
      daemon = try start()
      let other = defaults()
      // In this order, for more may come meanwhile.
      let second = other.integer(forKey: "second")
      let first = other.integer(forKey: "first")
      #expect(second >= acknowledged && first >= second, "\(first) \(second)")
      try await app.flush()
    }
    try kill(daemon)
    daemon = try start()
    #expect(defaults().integer(forKey: "second") == number)
    try kill(daemon)
  }

  @Test func otherProcessesOfTheAppSeeNewValues() async throws {
    let daemon = try start()
    let app = defaults()
    let other = defaults()
    #expect(!other.bool(forKey: "on"))
    var changes = other.changes.makeAsyncIterator()
    app.set(true, forKey: "on")
    #expect(await changes.next() == "on")
    #expect(other.bool(forKey: "on"))
    app.set(true, forKey: "on")
    app.set(1, forKey: "n")
    #expect(await changes.next() == "n")
    try kill(daemon)
  }

  @Test func withoutADaemonRegisteredValuesCountAndNewValuesAreSentLater() async throws {
    let app = defaults()
    app.register(defaults: ["on": true])
    #expect(app.bool(forKey: "on"))
    app.set(5, forKey: "n")
    #expect(app.integer(forKey: "n") == 5)
    await #expect {
      try await app.flush(within: 0.1)
    } throws: { error in
      (error as? DeviceDefaultsError)?.code == .daemonAbsent && !error.localizedDescription.isEmpty
    }
    let daemon = try start()
    try await app.flush(within: 60)
    #expect(defaults().integer(forKey: "n") == 5)
    try kill(daemon)
  }

  @Test func anExcessiveValueIsTakenBackAndReported() async throws {
    let daemon = try start()
    let app = defaults()
    app.set(String(repeating: "x", count: 5_000), forKey: "large")
    #expect(app.string(forKey: "large") == nil)
    await #expect {
      try await app.flush()
    } throws: { error in
      let error = error as? DeviceDefaultsError
      return error?.code == .limitReached && error?.text.contains("'large'") == true
        && error?.text.contains("5000") == true
    }
    // Said once.
    try await app.flush()
    app.set(Date(), forKey: "date")
    await #expect(throws: DeviceDefaultsError.self) { try await app.flush() }
    // Another process has filled the app's room, which this one does not know yet.
    let other = defaults()
    for number in 0..<256 { other.set(number, forKey: "\(number)") }
    try await other.flush()
    app.set(1, forKey: "one more")
    await #expect {
      try await app.flush()
    } throws: { error in
      (error as? DeviceDefaultsError)?.code == .limitReached
    }
    #expect(app.integer(forKey: "one more") == 0)
    try kill(daemon)
  }

  @Test func aTightLoopFromManyThreadsIsAFewCommits() async throws {
    let daemon = try start()
    let app = defaults()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 1...5_000 {
            app.set(number, forKey: "mine \(task)")
            app.set(number * 10 + task, forKey: "all")
          }
        }
      }
    }
    try await app.flush(within: 120)
    let other = defaults()
    for task in 0..<4 { #expect(other.integer(forKey: "mine \(task)") == 5_000) }
    #expect(other.integer(forKey: "all") == app.integer(forKey: "all"))
    let commits = try #require(status("state.commits").flatMap { Int($0) })
    #expect((1...80).contains(commits), "\(commits) commits")
    try kill(daemon)
  }
}
