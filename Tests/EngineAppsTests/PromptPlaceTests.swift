import BinnacleModel
import Testing

@testable import LocationEngine

/// The places of requests of programs without a manifest.
@Suite struct PromptPlaceTests {
  private static let tracker = "org.example.tracker"
  private static let places = 8

  private static func program(_ number: Int, user: UInt32 = 1_001) -> AppID {
    .unlisted(userID: user, executable: "/bin/\(number)")
  }

  private static func authorization(of app: AppID, _ desk: ConsentDesk) -> Report? {
    desk.desk.engine.reasonRows(of: app, at: desk.desk.now)
      .first { $0[.rowKey] == "authorization" }
  }

  // MARK: Long paths

  /// A program whose answer has no record.
  private static func longProgram(_ number: Int) -> AppID {
    let name = String(repeating: "a", count: 248)
    return .unlisted(userID: 1_001, executable: "/\(name)\(10 + number)")
  }

  @Test func aProgramWithALongPathIsDeniedAndRaisesNoPrompt() {
    var desk = ConsentDesk()
    let app = desk.run(Self.longProgram(0), hasTerminal: true)
    let session = desk.hold(.service(.whenInUse), by: app)
    #expect(desk.seen(app) == "d")
    #expect(desk.diagnostic(session) == .authorizationDenied)
    #expect(desk.rows(.prompts) == [])
    // The control: the path is one byte shorter.
    let shorter = String("\(Self.longProgram(0))".dropFirst("1001:".utf8.count).dropLast())
    let fitting = AppID.unlisted(userID: 1_001, executable: shorter)
    let other = desk.run(fitting, hasTerminal: true)
    #expect(desk.seen(other) == "p")
    #expect(desk.request(.allow(app: "\(fitting)", nil)) == nil)
  }

  @Test func whyNamesTheLongPathAndItsRemedies() {
    var desk = ConsentDesk()
    let app = Self.longProgram(0)
    _ = desk.run(app, hasTerminal: true)
    let row = Self.authorization(of: app, desk)
    #expect(
      row?[.rowText]
        == "\(app) cannot ask for your location: its path is too long for the record of an answer."
    )
    #expect(row?[.rowChange] == "give it a manifest in apps.d, or a shorter path")
  }

  @Test func programsWithLongPathsTakeNoPlaces() {
    var desk = ConsentDesk()
    for number in 0..<20 { _ = desk.run(Self.longProgram(number), hasTerminal: true) }
    let app = desk.run(Self.program(1), hasTerminal: true)
    #expect(desk.seen(app) == "p")
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true])
  }

  // MARK: Users

  @Test func theProgramsOfAUserLeavePlacesForAllOtherApps() {
    var desk = ConsentDesk()
    for number in 0..<20 { _ = desk.run(Self.program(number), hasTerminal: true) }
    #expect(desk.rows(.prompts).count == Self.places)
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    _ = desk.run(Self.program(0, user: 1_002), hasTerminal: true)
    let names = desk.rows(.prompts).compactMap { $0[.rowID] }
    #expect(names.suffix(2) == [Self.tracker, "1002:/bin/0"])
  }

  @Test func theProgramsOfAllUsersLeavePlacesForTheAppsOfManifests() {
    var desk = ConsentDesk()
    for number in 0..<20 {
      _ = desk.run(Self.program(number, user: 1_001 + UInt32(number % 4)), hasTerminal: true)
    }
    #expect(desk.rows(.prompts).count == 12)
    let row = Self.authorization(of: Self.program(19, user: 1_004), desk)
    #expect(
      row?[.rowText]?.contains("because 12 requests of programs without a manifest are open")
        == true)
    _ = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts).map { $0[.rowID] }.last == Self.tracker)
  }

  @Test func aRequestBeyondThePlacesOfItsUserWaits() {
    var desk = ConsentDesk()
    for number in 0..<Self.places { _ = desk.run(Self.program(number), hasTerminal: true) }
    let app = Self.program(Self.places)
    let client = desk.run(app, hasTerminal: true)
    let session = desk.hold(.service(.whenInUse), by: client)
    #expect(desk.seen(client) == "p")
    #expect(desk.diagnostic(session) == .authorizationRequestInProgress)
    let row = Self.authorization(of: app, desk)
    #expect(
      row?[.rowText]
        == "\(app) has a request that waits, because 8 requests of programs of its user without a manifest are open."
    )
    #expect(
      row?[.rowChange]
        == "binnacle allow \(app), or an answer to one of these requests; 'binnacle prompts' lists them"
    )
    desk.request(.deny(app: "\(Self.program(3))"))
    #expect(desk.rows(.prompts).last?[.rowID] == "\(app)")
  }
}
