import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Foundation
import TestSupport
import Testing

/// The example as a process of its own: what an app's end looks like from outside.
@Suite(.timeLimit(.minutes(5)))
struct ExampleProgramTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func start(_ arguments: [String] = [], launch: String? = nil) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["BINNACLE_RUNTIME"] = directory.path
    environment["BINNACLE_LAUNCHED"] = launch
    return try ChildProcess(
      Programs.path("LiveUpdates"), arguments, environment: environment, output: .pipe)
  }

  private func fix(_ latitude: Double, nanoseconds: Int64 = 0) -> Fix {
    Fix(
      latitude: latitude, longitude: 8.5, horizontalAccuracy: 2.5,
      time: UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: nanoseconds))
  }

  /// The next thing that the example does, apart from its question for the phase.
  private func next(of daemon: ScriptedDaemon) async -> ScriptedDaemon.Event? {
    let event = await daemon.next()
    return event == .phaseWatched ? await daemon.next() : event
  }

  @Test func itEndsWhenItIsAskedToInTheMiddleOfItsLoop() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let app = try start()
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(47.25), to: 1)
    try daemon.explain(.locationUnavailable, to: 1)
    var text = ""
    try await read(from: app, into: &text, until: "no location")
    #expect(try app.terminate() == .exited(0))
    try await read(from: app, into: &text, until: "1 location in all")
    #expect(text.contains("47.2500000, 8.5000000 ± 2.5 m"))
  }

  @Test func itAsksAndHoldsItsSessionsBeforeItsUpdates() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let app = try start(["--session", "--background"])
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.notDetermined)))
    let request = SessionID(number: 1)
    #expect(
      await next(of: daemon) == .sessionOpened(request, .authorizationRequest(isAlways: false)))
    #expect(await next(of: daemon) == .sessionOpened(SessionID(number: 2), .service(.whenInUse)))
    #expect(await next(of: daemon) == .sessionOpened(SessionID(number: 3), .backgroundActivity))
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    try daemon.explain(.authorizationRequestInProgress, to: 1)
    try daemon.send(fix(47.25), to: 1, flags: .stationary)
    var text = ""
    try await read(from: app, into: &text, until: "47.2500000")
    #expect(try app.terminate() == .exited(0))
  }

  @Test func itEndsWithOneWhenNoLocationCameInItsTime() throws {
    let app = try start(["--seconds", "0.1"])
    #expect(try app.wait(limit: .seconds(60)) == .exited(1))
  }

  @Test func withoutADaemonTheMissingSocketIsReportedOnce() throws {
    var environment = ProcessInfo.processInfo.environment
    environment["BINNACLE_RUNTIME"] = directory.path
    // Long enough for several attempts to connect.
    let app = try ChildProcess.run(
      Programs.path("LiveUpdates"), ["--seconds", "2"], environment: environment,
      limit: .seconds(60))
    let sentences = app.errorText.components(separatedBy: "waiting for the daemon")
    #expect(sentences.count == 2, "\(app.errorText)")
    #expect(app.errorText.contains("\(directory.path)/binnacle.sock: "), "\(app.errorText)")
    #expect(app.errorText.contains("BINNACLE_RUNTIME"), "\(app.errorText)")
  }

  @Test func updatesThatWereNotStoppedAreResumed() async throws {
    let none = try ScriptedDaemon(in: directory.path)
    let idle = try start(["--resume"])
    #expect(try idle.wait(limit: .seconds(60)) == .exited(0))
    await none.stop()
    let daemon = try ScriptedDaemon(
      in: directory.path, kept: [DefaultsEntry("liveUpdatesStarted", .flag(true))])
    let app = try start(["--resume"])
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    var text = ""
    try await read(from: app, into: &text, until: "taking up location updates")
    #expect(try app.terminate() == .exited(0))
  }

  @Test func itEndsByItselfAfterItsTime() async throws {
    // The daemon answers by itself: a test that is waited for could be later than the app's end.
    let daemon = try ScriptedDaemon(in: directory.path, answer: fix(1))
    let app = try start(["--seconds", "5"])
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    #expect(await next(of: daemon) != nil)
    #expect(try app.wait(limit: .seconds(60)) == .exited(0))
  }

  @Test func timesAreShownToTheNearestMillisecond() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let app = try start(["--seconds", "200"])
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    // 04:40:00 less what a receiver's clock is off, and moments that no floating-point number meets.
    try daemon.send(fix(1, nanoseconds: -14_000), to: 1)
    try daemon.send(fix(2, nanoseconds: 182_000_000), to: 1)
    try daemon.send(fix(3, nanoseconds: 3_999_999), to: 1)
    var text = ""
    try await read(from: app, into: &text, until: "3: ")
    for time in ["1: 04:40:00.000  ", "2: 04:40:00.182  ", "3: 04:40:00.004  "] {
      #expect(text.contains(time), "\(time) in \(text)")
    }
    #expect(try app.terminate() == .exited(0))
  }

  @Test func anAppThatIsLaunchedForALocationContinuesAndBeginsNothing() async throws {
    let none = try ScriptedDaemon(in: directory.path)
    let idle = try start(["--background"], launch: "location")
    #expect(try idle.wait(limit: .seconds(60)) == .exited(0))
    await none.stop()
    let daemon = try ScriptedDaemon(
      in: directory.path,
      kept: [
        DefaultsEntry("liveUpdatesStarted", .flag(true)),
        DefaultsEntry("BGActivitySessionStarted", .flag(true)),
      ])
    let app = try start(launch: "location")
    #expect(await next(of: daemon) == .greeted)
    #expect(await next(of: daemon) == .sessionOpened(SessionID(number: 1), .backgroundActivity))
    #expect(await next(of: daemon) == .opened(SequenceID(number: 1), .default))
    #expect(try app.terminate() == .exited(0))
    // The launcher has ended the process, so its session and its updates stay begun.
    #expect(await next(of: daemon) == .gone)
  }

  @Test func theViewShowsTheStateWithItsButtons() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let app = try start(["--view"])
    #expect(await next(of: daemon) == .greeted)
    var text = ""
    try await read(from: app, into: &text, until: "[Start Background Session]\n")
    #expect(text.contains("Locations: 0\nMoving\nPhase: active\n"))
    #expect(try app.terminate() == .exited(0))
  }

  @Test func wordsThatMakeNoSenseAreRefused() throws {
    #expect(try start(["--seconds"]).wait(limit: .seconds(60)) == .exited(64))
    #expect(try start(["--minutes", "3"]).wait(limit: .seconds(60)) == .exited(64))
  }

  private func read(
    from app: ChildProcess, into text: inout String, until words: String
  ) async throws {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let limit = Clock.now + .seconds(60)
    while !text.contains(words), Clock.now < limit {
      if let count = try app.readOutput(into: &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      await Task.yield()
    }
    #expect(text.contains(words), "\(text)")
  }
}
