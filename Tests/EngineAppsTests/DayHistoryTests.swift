import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The history of the last day.
@Suite struct DayHistoryTests {
  private func app(_ number: Int) -> AppID { .listed("org.example.a\(number)") }

  private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  private func states(_ desk: inout AppLifeDesk, _ part: String) -> [String] {
    desk.consent.dayRows.filter { $0[.rowPart] == part }.compactMap { $0[.rowDayState] }
  }

  @Test func theStatesOfAnAppAreRowsInTheirOrder() throws {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.fix()
    desk.consent.request(.home)
    desk.consent.fix()
    desk.consent.desk.wait(60)
    desk.consent.fix()
    desk.end()
    #expect(
      states(&desk, "app") == [
        "not_running", "foreground", "background", "suspended", "background", "not_running",
      ])
    let rows = desk.consent.dayRows
    #expect(rows.first?[.rowDayState] == "started")
    #expect(rows.filter { $0[.rowPart] == "app" }.allSatisfy { $0[.rowID] == AppLifeDesk.name })
    let ages = rows.filter { $0[.rowPart] == "app" }.compactMap { $0[.rowAge] }
    #expect(ages == ages.sorted(by: >))
    #expect(rows.allSatisfy { $0[.rowBegan] != nil })
  }

  @Test func theIndicatorIsNotedWhenItIsLitAndDark() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    #expect(states(&desk, "light").suffix(1) == ["lit"])
    desk.consent.request(.quit(app: AppLifeDesk.name))
    desk.end(.exited(status: 0))
    #expect(states(&desk, "light").suffix(1) == ["dark"])
  }

  @Test func aToolOfAnOperatorIsNoApp() {
    let desk = ConsentDesk()
    let parts = desk.dayRows.map { $0[.rowPart] }
    #expect(parts == ["daemon", "movement", "receiver", "light"])
  }

  @Test func aProgramWithoutAManifestIsAnAppOnceItOpensUpdates() {
    var desk = ConsentDesk()
    let client = desk.start(ConsentDesk.script, hasTerminal: true)
    #expect(desk.dayRows.count { $0[.rowPart] == "app" } == 0)
    desk.desk.open(client)
    #expect(desk.dayRows.count { $0[.rowPart] == "app" } == 2)
  }

  @Test func anUnchangedStateIsNoTransition() {
    var day = DayHistory()
    day.started(at: at(0))
    for second in 1..<100 { day.note(.movement, .resting, at: at(Int64(second))) }
    #expect(day.count == 4)
  }

  @Test func aStateThatRecordsHaveSetBeforeTheStartStays() {
    var day = DayHistory()
    day.note(.light, .asserting, at: at(0))
    day.started(at: at(0))
    #expect(day.lanes.map(\.state) == [.asserting, .notJudged, .absent])
    #expect(day.count == 3)
  }

  @Test func theMemoryIsBoundedAndAFlappingAppDisplacesItself() {
    var day = DayHistory()
    day.started(at: at(0))
    day.note(.movement, .moving, at: at(1))
    day.noteApp(app(1), .foreground, since: at(0), at: at(2))
    for second in 3..<20_000 {
      let state: DayState = second % 2 == 0 ? .foreground : .notRunning
      day.noteApp(app(2), state, since: at(0), at: at(Int64(second)))
    }
    #expect(day.count == DayHistory.transitionsMax)
    #expect(day.lanes.reduce(0) { $0 + $1.transitions.count } == day.count)
    #expect(day.lanes.first { $0.subject == .movement }?.transitions.count == 2)
    #expect(day.lanes.first { $0.subject == .app(app(1)) }?.transitions.count == 2)
    // The newest transition stays.
    #expect(day.lanes.last?.transitions.last?.at == at(19_999))
  }

  @Test func transitionsOverADayOldAreDroppedButForTheStateAtTheBeginning() {
    var day = DayHistory()
    day.started(at: at(0))
    day.note(.movement, .moving, at: at(100))
    day.note(.movement, .resting, at: at(200))
    day.note(.movement, .moving, at: at(90_000))
    let lane = day.lanes.first { $0.subject == .movement }
    #expect(lane?.transitions.map(\.at) == [at(200), at(90_000)])
    #expect(lane?.transitions.first?.state == .resting)
  }

  @Test func thereIsAPlaceForAsManyAppsAndAnAppThatHasNotRunForADayMakesRoom() {
    var day = DayHistory()
    for number in 0..<DayHistory.appsMax {
      day.noteApp(app(number), .background, since: at(0), at: at(10))
    }
    day.noteApp(app(900), .background, since: at(0), at: at(20))
    #expect(day.apps.count == DayHistory.appsMax && day.appsLeftOut == 1)
    day.noteApp(app(3), .notRunning, since: at(0), at: at(30))
    day.noteApp(app(900), .background, since: at(0), at: at(90_000))
    #expect(day.apps.count == DayHistory.appsMax)
    #expect(day.apps.contains(app(900)) && !day.apps.contains(app(3)))
    #expect(day.lanes.reduce(0) { $0 + $1.transitions.count } == day.count)
  }

  @Test func movementAndReceiverFollowTheBoard() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse))
    let client = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    let movement = desk.dayRows.filter { $0[.rowPart] == "movement" }
    #expect(movement.compactMap { $0[.rowDayState] } == ["not_judged", "moving"])
    desk.desk.send(.client(client, .disconnected))
    #expect(desk.dayRows.contains { $0[.rowPart] == "receiver" })
  }
}

extension ConsentDesk {
  /// The rows of `binnacle day`.
  fileprivate var dayRows: [Report] {
    desk.engine.dayReport(at: desk.now).rows
  }
}
