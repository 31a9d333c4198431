import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Standard updates of `CLLocationManager` that continue in the background: their right, the lamp, and their end.
@Suite struct ClassicUpdatesTests {
  private static let tracker = ConsentDesk.tracker

  private static func rights(_ list: ConsentRequest, _ desk: inout ConsentDesk) -> [String] {
    desk.rows(list).compactMap { $0[.rowRight] }
  }

  @Test func standardUpdatesContinueInTheBackgroundByTheirOwnRight() {
    var (desk, app) = SessionTests.desk()
    let session = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(session) == [])
    desk.fix()
    #expect(!desk.isLit)
    #expect(Self.rights(.who, &desk) == ["foreground"])
    desk.request(.home)
    #expect(desk.isLit)
    for _ in 0..<20 { desk.fix() }
    #expect(desk.seen(app) == String(repeating: "f", count: 21))
    #expect(desk.isLit)
    #expect(Self.rights(.who, &desk) == ["classic"])
    #expect(desk.rows(.who).map { $0[.rowUpdates] } == [20])
    #expect(Self.rights(.audit, &desk) == ["classic"])
    #expect(desk.rows(.audit).map { $0[.rowIsLampVerified] } == [true])
    #expect(desk.rows(.audit).map { $0[.rowTo] } == [nil])
  }

  @Test func theRightEndsWithTheUpdatesAndTheLampWithIt() throws {
    var (desk, app) = SessionTests.desk()
    let session = desk.hold(.standardUpdates, by: app)
    desk.request(.home)
    for _ in 0..<20 { desk.fix() }
    // The library ends both when the app stops its updates.
    desk.desk.close(app)
    desk.invalidate(session, of: app)
    #expect(!desk.isLit)
    #expect(Self.rights(.who, &desk) == [])
    let epoch = try #require(desk.rows(.audit).first)
    #expect(epoch[.rowRight] == "classic")
    #expect(epoch[.rowUpdates] == 20)
    #expect(epoch[.rowTo] != nil)
    // Updates that begin again in the background have no right there.
    let again = desk.hold(.standardUpdates, by: app)
    desk.desk.open(app, 2)
    #expect(desk.diagnostic(again) == .insufficientlyInUse)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
    #expect(!desk.isLit)
  }

  @Test func withoutTheBackgroundModeStandardUpdatesEndWithTheGrace() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.map", nil))
    let app = desk.run(ConsentDesk.map, hasTerminal: true)
    let session = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    desk.request(.home)
    desk.fix()
    #expect(Self.rights(.who, &desk) == ["foreground"])
    desk.desk.wait(11)
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(app).hasSuffix("i"))
    #expect(Self.rights(.who, &desk) == [])
    #expect(Self.rights(.audit, &desk) == ["foreground"])
  }

  @Test func standardUpdatesOfAnAppInTheBackgroundDoNotBegin() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(Self.tracker)
    let session = desk.hold(.standardUpdates, by: app)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    desk.fix()
    #expect(desk.seen(app) == "i")
    #expect(!desk.isLit)
  }

  @Test func theNextProcessDoesNotTakeStandardUpdatesUp() {
    var (desk, app) = SessionTests.desk()
    desk.hold(.standardUpdates, by: app)
    desk.request(.home)
    #expect(desk.isLit)
    desk.desk.end(app)
    #expect(!desk.isLit)
    let again = desk.run(Self.tracker)
    let session = desk.hold(.standardUpdates, by: again)
    #expect(desk.diagnostic(session) == .insufficientlyInUse)
    #expect(!desk.isLit)
  }
}
