import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// Loops over live updates beside a daemon that follows a script.
@Suite(.timeLimit(.minutes(5)))
struct LiveUpdatesTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Updates of a connection of their own.
  private func updates(
    _ configuration: LiveConfiguration = .default
  ) -> CLLocationUpdate.Updates {
    let path = directory.path
    let connection = DaemonConnection(program: "test") { path }
    return CLLocationUpdate.Updates(configuration: configuration) { connection }
  }

  private func fix(_ latitude: Double) -> Fix {
    Fix(
      latitude: latitude, longitude: 8.5, altitude: 400, ellipsoidalAltitude: 448,
      horizontalAccuracy: 2.5, verticalAccuracy: 4, speed: 1.5, speedAccuracy: 0.25, course: 90,
      courseAccuracy: 5, time: UTCTime(secondsSince1970: 1_763_700_000),
      isSimulatedBySoftware: true)
  }

  private let first = SequenceID(number: 1)
  private let second = SequenceID(number: 2)

  @Test func updatesArriveInOrderAndWhole() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    var iterator = updates(.fitness).makeAsyncIterator()
    async let script: Void = {
      #expect(await daemon.next() == .greeted)
      #expect(await daemon.next() == .opened(SequenceID(number: 1), .fitness))
      for latitude in 1...20 { try daemon.send(fix(Double(latitude)), to: 1) }
    }()
    for latitude in 1...20 {
      let location = try #require(try await iterator.next()?.location)
      #expect(location.coordinate.latitude == Double(latitude))
      #expect(location.altitude == 400 && location.ellipsoidalAltitude == 448)
      #expect(location.horizontalAccuracy == 2.5 && location.verticalAccuracy == 4)
      #expect(location.speed == 1.5 && location.speedAccuracy == 0.25)
      #expect(location.course == 90 && location.courseAccuracy == 5)
      #expect(location.timestamp == Date(timeIntervalSince1970: 1_763_700_000))
      #expect(location.sourceInformation?.isSimulatedBySoftware == true)
      #expect(location.sourceInformation?.isProducedByAccessory == false)
    }
    try await script
  }

  @Test func aSequenceThatIsNotIteratedAsksForNothing() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates(.airborne)
    let unused = updates.makeAsyncIterator()
    let loop = Task { for try await _ in updates { break } }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .airborne))
    try daemon.send(fix(1), to: 1)
    #expect(await daemon.next() == .closed(first))
    try await loop.value
    withExtendedLifetime(unused) {}
  }

  @Test func leavingTheLoopEndsTheService() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task {
      var count = 0
      for try await _ in updates {
        count += 1
        if count == 2 { break }
      }
      return count
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    for latitude in 1...3 { try daemon.send(fix(Double(latitude)), to: 1) }
    #expect(await daemon.next() == .closed(first))
    #expect(try await loop.value == 2)
  }

  @Test func cancelingTheTaskEndsTheLoopWithoutAnError() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task {
      var iterator = updates.makeAsyncIterator()
      while try await iterator.next() != nil {}
      return try await iterator.next() == nil
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.send(fix(1), to: 1)
    loop.cancel()
    #expect(await daemon.next() == .closed(first))
    #expect(try await loop.value)
  }

  @Test func aCanceledTaskDoesNotStart() async throws {
    let updates = updates()
    let loop = Task {
      while !Task.isCancelled { await Task.yield() }
      var iterator = updates.makeAsyncIterator()
      return try await iterator.next() == nil
    }
    loop.cancel()
    #expect(try await loop.value)
  }

  @Test func releasingTheIteratorEndsTheService() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    var iterator: CLLocationUpdate.Updates.Iterator? = updates().makeAsyncIterator()
    async let script: Void = {
      #expect(await daemon.next() == .greeted)
      #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
      try daemon.send(fix(1), to: 1)
    }()
    #expect(try await iterator?.next() != nil)
    try await script
    iterator = nil
    #expect(await daemon.next() == .closed(first))
  }

  @Test func everyIteratorHasItsOwnService() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let one = Task { try await updates.first { _ in true }?.location?.coordinate.latitude }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    let two = Task { try await updates.first { _ in true }?.location?.coordinate.latitude }
    #expect(await daemon.next() == .opened(second, .default))
    try daemon.send(fix(22), to: 2)
    #expect(await daemon.next() == .closed(second))
    try daemon.send(fix(11), to: 1)
    #expect(await daemon.next() == .closed(first))
    #expect(try await one.value == 11)
    #expect(try await two.value == 22)
  }

  @Test func manyShortLoopsAreNoFlood() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loops = Task {
      for _ in 1...150 { for try await _ in updates { break } }
    }
    #expect(await daemon.next() == .greeted)
    for number in UInt32(1)...150 {
      #expect(await daemon.next() == .opened(SequenceID(number: number), .default))
      try daemon.send(fix(1), to: number)
      #expect(await daemon.next() == .closed(SequenceID(number: number)))
    }
    try await loops.value
  }

  @Test func manyLoopsAtOnceAreNoFlood() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loops = (1...300).map { _ in Task { for try await _ in updates {} } }
    #expect(await daemon.next() == .greeted)
    for _ in 1...300 {
      let event = await daemon.next()
      guard case .opened = event else {
        Issue.record("\(String(describing: event)) instead of an opening")
        break
      }
    }
    for loop in loops { loop.cancel() }
    for loop in loops { try await loop.value }
  }

  @Test func algorithmsOfSequencesWork() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task {
      try await updates.filter { $0.location != nil }
        .map { $0.location?.coordinate.latitude ?? 0 }.first { $0 > 2 }
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.explain(.locationUnavailable, to: 1)
    for latitude in 1...4 { try daemon.send(fix(Double(latitude)), to: 1) }
    #expect(try await loop.value == 3)
    #expect(await daemon.next() == .closed(first))
  }

  @Test func theLoopSurvivesTheDaemon() async throws {
    var daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates(.fitness)
    let latitudes = AsyncStream<Double>.makeStream()
    let loop = Task {
      // On a busy machine the daemon is away long enough to be told of: that is no location.
      for try await update in updates {
        if let location = update.location {
          latitudes.continuation.yield(location.coordinate.latitude)
        }
      }
    }
    var arrived = latitudes.stream.makeAsyncIterator()
    for life in 1...3 {
      #expect(await daemon.next() == .greeted)
      #expect(await daemon.next() == .opened(first, .fitness))
      try daemon.send(fix(Double(life)), to: 1)
      #expect(await arrived.next() == Double(life))
      await daemon.stop()
      daemon = try ScriptedDaemon(in: directory.path)
    }
    loop.cancel()
    try await loop.value
  }

  @Test func aDaemonThatStartsLaterIsFound() async throws {
    let updates = updates()
    let loop = Task { try await updates.first { $0.location != nil } }
    let daemon = try ScriptedDaemon(in: directory.path)
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.send(fix(1), to: 1)
    #expect(try await loop.value?.location != nil)
  }

  @Test func denialKeepsTheLoopAlive() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task {
      var seen: [String] = []
      for try await update in updates {
        seen.append("\(update.authorizationDenied) \(update.location != nil)")
        if seen.count == 3 { break }
      }
      return seen
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.explain(.authorizationRequestInProgress, to: 1)
    try daemon.explain([.authorizationDenied, .authorizationDeniedGlobally], to: 1)
    try daemon.send(fix(1), to: 1)
    #expect(try await loop.value == ["false false", "true false", "false true"])
  }

  @Test func bytesThatAreNoMessageCostTheConnectionAndNothingElse() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task { try await updates.first { _ in true }?.location?.coordinate.latitude }
    var random = Random(seed: 5)
    let hostile: [[UInt8]] = [
      [0xFF], [UInt8](repeating: 0, count: 65_536), [3, 1],
      (0..<300).map { _ in UInt8(truncatingIfNeeded: random.next()) },
    ]
    for bytes in hostile {
      #expect(await daemon.next() == .greeted)
      #expect(await daemon.next() == .opened(first, .default))
      try daemon.send(bytes: bytes)
      #expect(await daemon.next() == .gone)
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.send(fix(7), to: 1)
    #expect(try await loop.value == 7)
  }

  @Test func updatesOfUnknownSequencesAreIgnored() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task { try await updates.first { _ in true }?.location?.coordinate.latitude }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.send(fix(9), to: 77)
    try daemon.send(fix(1), to: 1)
    #expect(try await loop.value == 1)
  }

  @Test(arguments: [
    (ServerMessage.RefusalKind.sequencesTooMany, CLError.Code.network),
    (.notPermitted, .denied),
  ])
  func aSequenceThatIsRefusedThrows(
    _ reason: ServerMessage.RefusalKind, _ code: CLError.Code
  ) async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task { for try await _ in updates {} }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    let refusal = ServerMessage.Refusal(reason, "32 are\u{202E} enough\u{9B}")
    try daemon.send(.updatesEnded(first, refusal))
    await #expect { try await loop.value } throws: { error in
      code ~= error && error.localizedDescription == "32 are? enough?"
    }
  }

  @MainActor
  @Test func aLoopOnTheMainActorStaysThere() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let updates = updates()
    let loop = Task { @MainActor in
      var count = 0
      for try await _ in updates {
        MainActor.assertIsolated()
        #expect(!isOnConnectionThread)
        count += 1
      }
      MainActor.assertIsolated()
      return count
    }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(first, .default))
    try daemon.send(fix(1), to: 1)
    loop.cancel()
    #expect(await daemon.next() == .closed(first))
    #expect(try await loop.value <= 1)
  }
}

private var isOnConnectionThread: Bool { Thread.current.name == "CoreLocation" }
