import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Standard updates in the background and live activities, which end with their process and not with the daemon.
@Suite struct ProcessSessionsTests {
  private static let boots = ["0", "1"].map { String(repeating: $0, count: 36) }
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"
  private static let activity = AppSession.liveActivity(text: "on the way")

  /// A desk with an app, process 70, that holds a session in the background.
  private static func desk(
    holding session: AppSession = .standardUpdates, boot: String = boots[0]
  ) -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk { $0.bootID = boot }
    desk.request(.allow(app: name, nil))
    let app = start(70, &desk, hasTerminal: true)
    desk.hold(session, by: app)
    desk.request(.home)
    return (desk, app)
  }

  private static func start(
    _ processID: Int32, _ desk: inout ConsentDesk, hasTerminal: Bool = false
  ) -> ClientID {
    let app = desk.desk.connect(
      tracker, user: 1_001, hasTerminal: hasTerminal, file: ConsentDesk.file, processID: processID)
    desk.desk.open(app)
    return app
  }

  private static func record(_ desk: ConsentDesk) -> [UInt8]? {
    let key = RecordTable.processSessions.named(Array(name.utf8))
    return key.flatMap { desk.desk.engine.storage.state.records[$0] }
  }

  // MARK: A restart of the daemon

  @Test(arguments: [AppSession.standardUpdates, activity], [true, false])
  func theSessionGoesOnInItsProcessAfterARestartOfTheDaemon(session: AppSession, isKilled: Bool) {
    var (desk, _) = Self.desk(holding: session)
    #expect(desk.isLit)
    for _ in 0..<2 {
      if isKilled { desk.killDaemon() } else { desk.restart() }
      // The process may have ended, or may have ended the session, while the daemon was away.
      #expect(!desk.isLit)
      let app = Self.start(70, &desk, hasTerminal: true)
      let object = desk.hold(session, by: app)
      #expect(desk.state(Self.tracker) == "background")
      #expect(desk.diagnostic(object) == [])
      desk.desk.wait(60)
      #expect(desk.isLit)
      desk.fix()
      #expect(desk.seen(app).hasSuffix("f"))
    }
    #expect(desk.desk.engine.apps.sessions.rejoinedCount == 1)
  }

  @Test func anotherProcessOfTheAppDoesNotTakeTheSessionUp() {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    let other = Self.start(71, &desk)
    let object = desk.hold(.standardUpdates, by: other)
    desk.fix()
    #expect(desk.seen(other) == "i")
    #expect(!desk.isLit)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
    desk.desk.wait(8)
    #expect(Self.record(desk) != nil)
    desk.desk.wait(2)
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(other).hasSuffix("i"))
    #expect(Self.record(desk) == nil)
    // Its process is too late.
    let late = Self.start(70, &desk)
    let lateObject = desk.hold(.standardUpdates, by: late)
    #expect(desk.diagnostic(lateObject) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }

  @Test(arguments: [true, false])
  func anObjectOfAnotherProcessDoesNotEndTheWait(isInvalidated: Bool) {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    let other = Self.start(71, &desk)
    let object = desk.hold(.standardUpdates, by: other)
    if isInvalidated {
      desk.invalidate(object, of: other)
    } else {
      desk.desk.end(other)
    }
    let app = Self.start(70, &desk)
    desk.hold(.standardUpdates, by: app)
    desk.desk.wait(60)
    #expect(desk.isLit)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("f"))
  }

  @Test func aSessionThatItsProcessDoesNotTakeUpLapses() {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    desk.desk.wait(9)
    #expect(Self.record(desk) != nil)
    desk.desk.wait(2)
    #expect(Self.record(desk) == nil)
    #expect(
      desk.desk.effects.contains(
        .log(
          .info,
          "org.example.tracker: the session of standard updates has lapsed, because the app did not take it up within 10.0 s"
        )))
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }

  @Test func theSessionEndsWithTheBoot() {
    var (desk, _) = Self.desk()
    desk.desk.configuration.bootID = Self.boots[1]
    desk.cutPower()
    #expect(!desk.isLit)
    #expect(Self.record(desk) == nil)
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }

  @Test func withoutTheNumberOfTheBootTheSessionEndsWithTheDaemon() {
    var (desk, _) = Self.desk(boot: "")
    #expect(Self.record(desk) == nil)
    desk.killDaemon()
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
  }

  @Test(arguments: [true, false])
  func aSessionThatHasEndedDoesNotComeBack(isInvalidated: Bool) {
    var desk = ConsentDesk { $0.bootID = Self.boots[0] }
    desk.request(.allow(app: Self.name, nil))
    let app = Self.start(70, &desk, hasTerminal: true)
    let object = desk.hold(.standardUpdates, by: app)
    desk.request(.home)
    if isInvalidated { desk.invalidate(object, of: app) } else { desk.desk.end(app) }
    #expect(Self.record(desk) == nil)
    desk.killDaemon()
    #expect(!desk.isLit)
    let again = Self.start(70, &desk)
    let next = desk.hold(.standardUpdates, by: again)
    #expect(desk.diagnostic(next) == .insufficientlyInUse)
  }

  @Test func theSessionEndsWithTheAuthorization() {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    desk.request(.deny(app: Self.name))
    #expect(!desk.isLit)
    #expect(Self.record(desk) == nil)
    desk.request(.allow(app: Self.name, nil))
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
  }

  @Test func anEraseEndsTheSession() {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    desk.desk.send(.client(ClientID(number: 900), .requested(70, .state(.erase(.sequences)))))
    #expect(Self.record(desk) == nil)
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }

  @Test func anotherProcessMayBeginTheSessionInTheForegroundMeanwhile() {
    var (desk, _) = Self.desk()
    desk.killDaemon()
    let other = Self.start(71, &desk, hasTerminal: true)
    let object = desk.hold(.standardUpdates, by: other)
    #expect(desk.diagnostic(object) == [])
    desk.request(.home)
    desk.desk.wait(60)
    #expect(desk.isLit)
    desk.fix()
    #expect(desk.seen(other).hasSuffix("f"))
  }

  /// The process may take the session up although another process has made the newest object, and may have ended before.
  @Test(arguments: [true, false])
  func eachProcessThatHoldsTheSessionMayTakeItUp(hasOtherEnded: Bool) {
    var (desk, _) = Self.desk()
    desk.request(.foreground(app: Self.name))
    let other = Self.start(71, &desk)
    desk.hold(.standardUpdates, by: other)
    if hasOtherEnded {
      desk.desk.end(other)
      desk.desk.wait(60)
    }
    desk.request(.home)
    desk.killDaemon()
    let app = Self.start(70, &desk)
    let object = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(object) == [])
    desk.desk.wait(60)
    #expect(desk.isLit)
  }

  @Test func theLauncherReportsTheEndOfTheProcess() {
    var desk = AppLifeDesk.running(holding: [.standardUpdates]) { $0.bootID = Self.boots[0] }
    desk.consent.request(.home)
    #expect(desk.consent.isLit)
    desk.consent.killDaemon()
    desk.connectLauncher()
    desk.end()
    #expect(Self.record(desk.consent) == nil)
    // Only a session that waits for a start of the app launches the app.
    desk.consent.desk.wait(60)
    #expect(!desk.isRunning)
  }

  // MARK: The record

  @Test func theCommitsOfAnAppAreLimited() {
    var (desk, app) = Self.desk()
    desk.request(.foreground(app: Self.name))
    var writes = 0
    for _ in 0..<200 {
      let before = Self.record(desk)
      let object = desk.hold(Self.activity, by: app)
      if Self.record(desk) != before { writes += 1 }
      desk.invalidate(object, of: app)
    }
    #expect((1...5).contains(writes))
    #expect(Self.record(desk).map(ProcessSessionsRecord.text) != nil)
  }

  /// The end of a session in one record does not write a beginning in the other.
  @Test func turnsOfTwoSessionsAreLimited() {
    var (desk, app) = Self.desk()
    desk.request(.foreground(app: Self.name))
    let sessions = RecordTable.sessions.named(Array(Self.name.utf8))
    var writes = 0
    var last: [[UInt8]?] = []
    var held: SessionID?
    for number in 0..<200 {
      let session = number.isMultiple(of: 2) ? Self.activity : .backgroundActivity
      let next = desk.hold(session, by: app)
      held.map { desk.invalidate($0, of: app) }
      held = next
      let state = desk.desk.engine.storage.state.records
      let now = [sessions.flatMap { state[$0] }, Self.record(desk)]
      if now != last { writes += 1 }
      last = now
    }
    #expect((2...12).contains(writes))
  }

  @Test func aValueIsReadInItsBootOnly() throws {
    var record = ProcessSessionsRecord()
    record.insert(.standardUpdates, processID: 70)
    record.insert(.liveActivity, processID: 4_194_303)
    let bytes = try #require(record.bytes(bootID: Self.boots[0]))
    let boot = Array(Self.boots[0].utf8)
    let entries: [UInt8] = [4, 70, 0, 0, 0, 5, 0xFF, 0xFF, 0x3F, 0]
    let expected: [UInt8] = [1] + boot + entries
    #expect(bytes == expected)
    #expect(bytes.count <= RecordTable.processSessions.valueSizeMax)
    #expect(ProcessSessionsRecord(bytes: bytes, bootID: Self.boots[0]) == record)
    #expect(ProcessSessionsRecord(bytes: bytes, bootID: Self.boots[1]) == nil)
    #expect(ProcessSessionsRecord(bytes: bytes, bootID: "") == nil)
    #expect(record.bytes(bootID: "") == nil)
    #expect(ProcessSessionsRecord().bytes(bootID: Self.boots[0]) == nil)
    #expect(
      ProcessSessionsRecord.text(of: bytes)
        == "session of standard updates (process 70), live activity (process 4194303)")
  }

  @Test(arguments: [
    [UInt8](), [0, 70, 0, 0, 0], [6, 70, 0, 0, 0], [4, 0, 0, 0, 0], [4, 70, 0, 0, 0x80],
    [4, 70, 0, 0], [4, 70, 0, 0, 0, 6, 71, 0, 0, 0],
  ])
  func otherValuesAreNotRead(entries: [UInt8]) {
    let bytes = [1] + Array(Self.boots[0].utf8) + entries
    #expect(ProcessSessionsRecord(bytes: bytes, bootID: Self.boots[0]) == nil)
    #expect(ProcessSessionsRecord.text(of: bytes) == nil)
    let newer = [2] + Array(Self.boots[0].utf8) + [4, 70, 0, 0, 0]
    #expect(ProcessSessionsRecord(bytes: newer, bootID: Self.boots[0]) == nil)
  }
}
