import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The rows of `binnacle apps`: their keys, and since when each app has its state.
@Suite struct AppRowTests {
  private static let name = "org.example.tracker"

  private static func row(_ name: String, _ desk: inout ConsentDesk) -> Report? {
    desk.rows(.apps).first { $0[.rowID] == name }
  }

  /// The time of day at which the state of the app began; the desk begins at 14:13:20.
  private static func since(_ desk: inout ConsentDesk) -> String? {
    row(name, &desk)?[.rowStateSince].map { String($0.suffix(9)) }
  }

  // MARK: The beginning of a state

  @Test func sinceIsTheBeginningOfThePresentState() {
    var desk = ConsentDesk()
    #expect(Self.since(&desk) == nil)
    desk.desk.wait(10)
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.wait(10)
    #expect(Self.since(&desk) == "14:13:30Z")
    // The use begins with the answer, and the state does not change.
    desk.request(.allow(app: Self.name, nil))
    desk.desk.wait(10)
    #expect(Self.since(&desk) == "14:13:30Z")
    desk.request(.home)
    desk.desk.wait(10)
    #expect(Self.since(&desk) == "14:13:50Z")
    desk.desk.end(app)
    desk.desk.wait(10)
    let ended = Self.row(Self.name, &desk)
    #expect(ended?[.rowState] == "not_running")
    #expect(Self.since(&desk) == "14:14:00Z")
  }

  @Test func aSuspendedAppHasTheTimeOfItsSuspension() {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity])
    desk.consent.request(.home)
    desk.consent.fix()
    while !desk.isFrozen, desk.consent.desk.now < .zero + .seconds(100) {
      desk.consent.desk.wait(1)
    }
    let end = UTCTime(secondsSince1970: 1_790_000_000) + (desk.consent.desk.now - .zero)
    desk.consent.desk.wait(20)
    let row = desk.row()
    #expect(row?[.rowState] == "suspended")
    // The loop waits in steps of a second.
    let ages: [Int64] = [0, 1]
    let times = ages.map { (end + .seconds(-$0)).rfc3339(fractionDigits: 0) }
    #expect(times.contains(row?[.rowStateSince] ?? ""))
  }

  @Test func theBeginningOfAStateIsAbsentUntilTheTimeIsKnown() throws {
    var desk = OutstandingDesk { $0.apps = [AppDeclaration(identifier: Self.name)] }
    let app = desk.connect(OutstandingDesk.tracker)
    func row() throws -> Report? {
      let client = try #require(desk.engine.apps.client(app))
      let rows = desk.engine.appRows(without: client, at: desk.now) { _ in true }
      return rows.first { $0[.rowID] == Self.name }
    }
    let before = try row()
    #expect(before?[.rowState] == "foreground")
    #expect(before?[.rowStateSince] == nil)
    desk.wait(10)
    desk.send(.wallClockRead(UTCTime(secondsSince1970: 1_790_000_010)))
    // The state began before the time was known.
    let after = try row()
    #expect(after?[.rowStateSince] == "2026-09-21T14:13:20Z")
  }

  @Test func aProgramThatNoListHasIsForgotten() {
    var states = AppStates()
    let (script, tracker) = (ConsentDesk.script, ConsentDesk.tracker)
    states.note(script, .notRunning, at: .zero)
    #expect(states.apps == [])
    for app in [script, tracker] { states.note(app, .background, at: .zero + .seconds(1)) }
    states.forget { $0 == tracker }
    #expect(states.apps == [script, tracker])
    for app in [script, tracker] { states.note(app, .notRunning, at: .zero + .seconds(2)) }
    states.forget { $0 == tracker }
    #expect(states.apps == [tracker])
    #expect(states.beginning(of: tracker) == .zero + .seconds(2))
  }

  // MARK: The keys

  private static let keys = RowCatalog.apps.map(\.name)
  /// The keys of an app that only the launcher has.
  private static let launcherKeys = ["launches", "next_launch_at", "reason", "waiting", "dropped"]

  @Test func theRowOfAProgramHasTheKeysOfTheTable() throws {
    var desk = ConsentDesk()
    let app = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.hold(.service(.whenInUse), by: app)
    desk.desk.open(app, 2)
    let found = Self.row("\(ConsentDesk.script)", &desk)
    let row = try #require(found)
    let expected = Self.keys.filter { !Self.launcherKeys.contains($0) && $0 != "live_activity" }
    #expect(row.items.map(\.name) == expected)
    #expect(row[.rowExecutable] == "/home/ann/script")
    #expect(row[.rowProcessIDs] == ProcessIDs([7]))
    #expect(row[.rowUserID] == 1_001)
    #expect(row[.rowIsInUse] == true)
    #expect(row[.rowServiceSessions] == 1)
    #expect(row[.rowSequences] == 2)
  }

  @Test func theRowOfAnAppThatDoesNotRunHasNoProcess() throws {
    var desk = ConsentDesk { $0.apps[1].executable = "/usr/bin/map" }
    let found = Self.row("org.example.map", &desk)
    let row = try #require(found)
    #expect(
      row.items.map(\.name) == [
        "id", "executable", "state", "in_use", "authorization", "accuracy", "background_session",
        "service_sessions", "sequences", "managed",
      ])
    #expect(row[.rowExecutable] == "/usr/bin/map")
    #expect(row[.rowIsInUse] == false)
    #expect(row[.rowServiceSessions] == 0)
    #expect(row[.rowSequences] == 0)
  }

  @Test func theRowOfALaunchedAppHasTheKeysOfTheTable() throws {
    var desk = AppLifeDesk.running(holding: [.backgroundActivity, .liveActivity(text: "3 km")]) {
      $0.apps[0].executable = "/usr/bin/tracker"
    }
    let running = desk.row()
    let row = try #require(running)
    let others = Self.launcherKeys.dropFirst()
    #expect(row.items.map(\.name) == Self.keys.filter { !others.contains($0) })
    desk.consent.request(.home)
    desk.consent.fix()
    desk.end()
    let ended = desk.row()
    let names = ended?.items.map(\.name) ?? []
    #expect(names.contains("reason"))
    // A row keeps the order of the table.
    #expect(names == Self.keys.filter { names.contains($0) })
  }
}
