import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Foundation
import TestSupport
import Testing

/// `Examples/DelegateUpdates`, a program of delegate methods alone, beside a daemon that follows a script.
@Suite(.timeLimit(.minutes(5)))
struct DelegateProgramTests {
  private let directory: TemporaryDirectory
  private let daemon: ScriptedDaemon

  init() throws {
    directory = try TemporaryDirectory()
    daemon = try ScriptedDaemon(in: directory.path)
  }

  private func start(_ arguments: String...) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["BINNACLE_RUNTIME"] = directory.path
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return try ChildProcess(
      Programs.path("DelegateUpdates"), arguments, environment: environment, output: .pipe,
      errorOutput: .pipe)
  }

  private func fix(_ latitude: Double, accuracy: Double = 3) -> Fix {
    Fix(
      latitude: latitude, longitude: 8.5, horizontalAccuracy: accuracy,
      time: UTCTime(secondsSince1970: 1_763_700_000))
  }

  /// Reads until the output ends with a line.
  private func line(_ line: String, of app: ChildProcess, _ text: inout String) throws {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let isThere = try eventually {
      if let count = try app.readOutput(into: &buffer), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text.hasSuffix(line + "\n")
    }
    #expect(isThere, "\(text)")
  }

  @Test func aTripIsRecordedFromTheQuestionToTheEnd() async throws {
    let app = try start()
    var text = ""
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.notDetermined)))
    try line("asking", of: app, &text)
    let request = SessionID(number: 1)
    #expect(await daemon.next() == .sessionOpened(request, .authorizationRequest(isAlways: false)))
    try daemon.send(.sessionDiagnostic(request, .authorizationRequestInProgress))
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    try daemon.send(.sessionDiagnostic(request, []))
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.sessionClosed(request)))
    #expect(heard.contains(.opened(SequenceID(number: 1), .fitness)))
    try daemon.send(fix(47), to: 1)
    try line("at 47.0000, 8.5000", of: app, &text)
    try daemon.explain(.locationUnavailable, to: 1)
    try line("no location at present", of: app, &text)
    // At rest the app starts the service again.
    try daemon.send(fix(48), to: 1, flags: .stationary)
    try line("paused", of: app, &text)
    let next = [await daemon.next(), await daemon.next()]
    #expect(next.contains(.closed(SequenceID(number: 1))))
    #expect(next.contains(.opened(SequenceID(number: 2), .fitness)))
    try daemon.send(fix(49), to: 2)
    try line("at 49.0000, 8.5000", of: app, &text)
    #expect(text.contains("resumed"))
    #expect(try app.terminate() == .exited(0))
    try line("finished with 3 locations", of: app, &text)
  }

  @Test func aDeniedProgramStops() async throws {
    let app = try start()
    var text = ""
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.whenInUse, isReduced: true)))
    try line("authorized, approximate", of: app, &text)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .fitness))
    try daemon.explain(.authorizationDenied, to: 1)
    try line("stopped, because location is denied", of: app, &text)
    #expect(await daemon.next() == .closed(SequenceID(number: 1)))
    #expect(try app.terminate() == .exited(0))
  }

  @Test func aRoughTripWantsTheApproximateLocation() async throws {
    let app = try start("--rough")
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.always)))
    #expect(await daemon.next() == .openedReduced(SequenceID(number: 1), .fitness))
    #expect(try app.terminate() == .exited(0))
  }

  @Test func anExactTripHoldsASessionWithThePurposeOfItsUsageText() async throws {
    let app = try start("--exact")
    #expect(await daemon.next() == .greeted)
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.authorizationWatched))
    let session = AppSession.service(.whenInUse, fullAccuracyPurpose: "trip")
    #expect(heard.contains(.sessionOpened(SessionID(number: 1), session)))
    #expect(try app.terminate() == .exited(0))
  }

  // MARK: The background mode

  @Test func updatesInTheBackgroundNeedTheManifest() async throws {
    let app = try start("--background")
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.whenInUse, hasBackgroundMode: false)))
    let ending = try app.wait(limit: .seconds(60))
    let isKilled = if case .killed = ending { true } else { false }
    #expect(isKilled, "\(String(describing: ending))")
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = try #require(try app.readErrors(into: &buffer))
    #expect(
      String(decoding: buffer[..<count], as: UTF8.self).contains(
        "allowsBackgroundLocationUpdates needs BackgroundModes=location in the manifest"))
  }

  @Test(arguments: [true, nil]) func withTheManifestOrWithoutKnowledgeOfItUpdatesBegin(
    _ mode: Bool?
  ) async throws {
    let app = try start("--background")
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    try daemon.send(.authorization(AuthorizationState(.whenInUse, hasBackgroundMode: mode)))
    let heard = [await daemon.next(), await daemon.next()]
    #expect(heard.contains(.sessionOpened(SessionID(number: 1), .standardUpdates)))
    #expect(heard.contains(.opened(SequenceID(number: 1), .fitness)))
    #expect(try app.terminate() == .exited(0))
  }
}
