import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Foundation
import TestSupport
import Testing

/// `Tests/TripApp`, an app with a delegate and views, beside a daemon that follows a script.
@Suite(.timeLimit(.minutes(5)))
struct AppProgramTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func start(
    _ arguments: String..., isForLocation: Bool = false, errorOutput: ChildProcess.Stream = .null
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["BINNACLE_RUNTIME"] = directory.path
    environment["BINNACLE_LAUNCHED"] = isForLocation ? "location" : nil
    return try ChildProcess(
      Programs.path("TripApp"), arguments, environment: environment, output: .pipe,
      errorOutput: errorOutput)
  }

  /// Reads until the output ends with these lines.
  private func read(_ lines: [String], from app: ChildProcess, _ text: inout String) throws {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let end = lines.map { $0 + "\n" }.joined()
    let isThere = try eventually {
      if let count = try app.readOutput(into: &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text.hasSuffix(end)
    }
    #expect(isThere, "\(text)")
    text = ""
  }

  private func press(_ button: String, _ daemon: ScriptedDaemon) throws {
    try daemon.send(
      .button(
        ButtonPress(
          button: button, gesture: .short, time: UTCTime(secondsSince1970: 1_763_700_000))))
  }

  private func fix(_ latitude: Double) -> Fix {
    Fix(
      latitude: latitude, longitude: 8.5, horizontalAccuracy: 2.5,
      time: UTCTime(secondsSince1970: 1_763_700_000))
  }

  /// Whether a client of a daemon watches authorization, phase and buttons.
  private func areAllWatched(at daemon: ScriptedDaemon) async -> Bool {
    var heard: [ScriptedDaemon.Event?] = []
    for _ in 0..<3 { heard.append(await daemon.next()) }
    let wanted: [ScriptedDaemon.Event] = [.authorizationWatched, .phaseWatched, .buttonsWatched]
    return wanted.allSatisfy { heard.contains($0) }
  }

  private static let view = [
    "Fixes: 0", "Place: 0.00", "Launches: 1", "", "[RECORD] [GO ON] [STOP]", "[ACTIVITY]",
  ]

  /// Starts the app, which has nothing to take up, and waits until its buttons work.
  private func startIdle(_ daemon: ScriptedDaemon, _ text: inout String) async throws
    -> ChildProcess
  {
    let app = try start()
    #expect(await daemon.next() == .greeted)
    #expect(await areAllWatched(at: daemon))
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    try read(
      ["launched by a person", "delegate: active"] + AppProgramTests.view, from: app, &text)
    return app
  }

  @Test func aPressOfAButtonStartsUpdatesAndTheViewShowsThem() async throws {
    let daemon = try ScriptedDaemon(in: directory.path, phase: .active)
    var text = ""
    let app = try await startIdle(daemon, &text)
    try press("RECORD", daemon)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(fix(47.25), to: 1)
    try read(["Fixes: 1", "Place: 47.25"], from: app, &text)
    try daemon.send(fix(47.25), to: 1)
    try read(["Fixes: 2"], from: app, &text)
    try press("go on", daemon)
    #expect(await daemon.next() == .sessionOpened(SessionID(number: 1), .backgroundActivity))
    try press("STOP", daemon)
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 1)))
    #expect(try app.terminate() == .exited(0))
    try read(["delegate: end"], from: app, &text)
  }

  @Test func anAppThatIsLaunchedForALocationTakesUpItsSessionBeforeItsUpdates() async throws {
    let daemon = try ScriptedDaemon(
      in: directory.path,
      kept: [
        DefaultsEntry("tripIsRecorded", .flag(true)), DefaultsEntry("tripGoesOn", .flag(true)),
      ],
      // The app waits a second for it, and a test on a busy machine may be later.
      authorization: AuthorizationState(.whenInUse))
    let app = try start(isForLocation: true)
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    #expect(await daemon.next() == .sessionOpened(SessionID(number: 1), .backgroundActivity))
    var heard: [ScriptedDaemon.Event?] = []
    for _ in 0..<3 { heard.append(await daemon.next()) }
    #expect(heard.contains(.opened(SequenceID(number: 1), .default)), "\(heard)")
    var text = ""
    try read(["launched for a location"] + AppProgramTests.view, from: app, &text)
    try daemon.send(.phase(.active))
    try read(
      ["delegate: foreground", "delegate: active", "scene: background to active"], from: app, &text)
    #expect(try app.terminate() == .exited(0))
  }

  @Test func thePhaseReachesTheDelegateTheViewsAndTheTasks() async throws {
    let daemon = try ScriptedDaemon(in: directory.path, phase: .active)
    var text = ""
    let app = try await startIdle(daemon, &text)
    try daemon.send(.phase(.active))
    try daemon.send(.phase(.background))
    #expect(await daemon.next() == .sessionOpened(SessionID(number: 1), .backgroundTask))
    try read(
      ["delegate: resigns", "delegate: background", "task: 30 s", "scene: active to background"],
      from: app, &text)
    try daemon.send(.phase(.suspending))
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 1)))
    try read(["task: time over, state true", "notification: suspension"], from: app, &text)
    try daemon.send(.phase(.background))
    try daemon.send(.phase(.active))
    try read(
      ["delegate: foreground", "delegate: active", "scene: background to active"], from: app, &text)
    #expect(try app.terminate() == .exited(0))
  }

  @Test func aLiveActivityIsAnObjectWithATextThatChanges() async throws {
    let daemon = try ScriptedDaemon(in: directory.path, phase: .active)
    var text = ""
    let app = try await startIdle(daemon, &text)
    try press("ACTIVITY", daemon)
    #expect(
      await daemon.next()
        == .sessionOpened(SessionID(number: 1), .liveActivity(text: "on the way")))
    try read(["[ARRIVED]"], from: app, &text)
    try press("ACTIVITY", daemon)
    #expect(
      await daemon.next() == .sessionOpened(SessionID(number: 2), .liveActivity(text: "back in 0")))
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 1)))
    try press("ARRIVED", daemon)
    #expect(await daemon.next() == .sessionClosed(SessionID(number: 2)))
    #expect(try app.terminate() == .exited(0))
  }

  /// The child has a runtime directory of its own, so each process has its own daemon.
  @Test func aForkedChildGetsItsOwnAuthorizationPhaseAndButtons() async throws {
    let other = try TemporaryDirectory()
    let ofParent = try ScriptedDaemon(
      in: directory.path, authorization: AuthorizationState(.denied))
    let daemon = try ScriptedDaemon(in: other.path, phase: .active)
    let app = try start("--forked", other.path)
    #expect(await ofParent.next() == .greeted)
    #expect(await areAllWatched(at: ofParent))
    #expect(await daemon.next() == .greeted)
    #expect(await areAllWatched(at: daemon))
    var text = ""
    try read(
      ["launched by a person", "delegate: active"] + AppProgramTests.view, from: app, &text)
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    try read(["authorization: 4"], from: app, &text)
    try press("RECORD", daemon)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.send(.phase(.background))
    #expect(await daemon.next() == .sessionOpened(SessionID(number: 1), .backgroundTask))
    try read(["scene: active to background"], from: app, &text)
    try app.terminate()
    try read(["delegate: end"], from: app, &text)
  }

  @Test func locationsAndErrorsThatASubclassOfADelegateMissesAreReportedOnce() async throws {
    let daemon = try ScriptedDaemon(
      in: directory.path, authorization: AuthorizationState(.whenInUse))
    let app = try start("--subclass", errorOutput: .pipe)
    var event = await daemon.next()
    while let heard = event, heard != .opened(SequenceID(number: 1), .default) {
      event = await daemon.next()
    }
    #expect(event != nil)
    // The errors come last, so the locations have been delivered when the line about errors is there.
    for latitude in [47.25, 47.5] { try daemon.send(fix(latitude), to: 1) }
    for _ in 0..<2 { try daemon.explain(.locationUnavailable, to: 1) }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let isThere = try eventually {
      if let count = try app.readErrors(into: &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text.contains("didFailWithError") && text.hasSuffix("\n")
    }
    #expect(isThere)
    let missed = [
      "locationManagerDidChangeAuthorization(_:)", "locationManager(_:didUpdateLocations:)",
      "locationManager(_:didFailWithError:)",
    ]
    let lines = missed.map {
      "CoreLocation: if LateListener declares \($0), this method is not called, because its superclass Listener adopts"
        + " CLLocationManagerDelegate without the method; declare it in Listener, and override it in LateListener\n"
    }
    #expect(text == lines.joined())
    #expect(try app.terminate() == .exited(0))
  }

  @Test func anAppWhoseFirstPhaseIsTheBackgroundIsNotActiveBefore() async throws {
    let daemon = try ScriptedDaemon(in: directory.path, phase: .background)
    let app = try start()
    var text = ""
    try read(
      ["launched by a person", "delegate: background", "task: 30 s"] + AppProgramTests.view,
      from: app, &text)
    try daemon.send(.phase(.active))
    try read(
      ["delegate: foreground", "delegate: active", "scene: background to active"], from: app, &text)
    #expect(try app.terminate() == .exited(0))
  }

  @Test func withoutADaemonTheAppIsActiveAndEndsWhenItIsAskedTo() throws {
    let app = try start()
    var text = ""
    try read(
      ["launched by a person", "delegate: active"] + AppProgramTests.view, from: app, &text)
    #expect(try app.terminate() == .exited(0))
  }
}
