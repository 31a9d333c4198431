import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The rights of the readers of doors: apps in the background that cannot ask a person.
@Suite struct DoorRightsTests {
  private static let reader = AppID.door("nmea", .user(1_001))
  private static let terminal = AppID.door("nmea", .terminal)
  private static let name = "door.nmea:1001"

  /// A desk whose profile opens the door with these grants.
  private static func desk(
    _ grants: [DoorSettings.ReaderGrant] = [], _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> ConsentDesk {
    ConsentDesk {
      $0.doors = [DoorSettings(name: "nmea", grants: grants)]
      adjust(&$0)
    }
  }

  // MARK: Grants

  @Test func aReaderWithoutAGrantGetsNoLocationAndRaisesNoPrompt() {
    var desk = Self.desk()
    let reader = desk.run(Self.reader)
    desk.fix()
    #expect(desk.seen(reader) == "d")
    #expect(desk.rows(.prompts) == [])
    #expect(desk.rows(.who) == [])
    #expect(!desk.isLit)
    #expect(!desk.desk.engine.areFixesWanted)
    let hints = desk.desk.lines.filter { $0.contains("'binnacle allow door.nmea:1001' does") }
    #expect(hints.count == 1)
    desk.request(.deny(app: Self.name))
    _ = desk.run(Self.reader)
    #expect(desk.desk.lines.count { $0.contains("reads without a position") } == 1)
  }

  @Test func theLampIsLitBeforeTheFirstLocationOfAReader() {
    var desk = Self.desk()
    let reader = desk.run(Self.reader)
    desk.desk.lamp = .silent
    #expect(desk.request(.allow(app: Self.name, nil)) == nil)
    desk.fix()
    #expect(desk.seen(reader) == "d")
    #expect(desk.desk.engine.skyRefusal(for: reader)?.kind == .unavailable)
    desk.desk.send(.line(.indicator, .read(isActive: true)))
    desk.fix()
    #expect(desk.seen(reader) == "df")
    #expect(desk.desk.engine.skyRefusal(for: reader) == nil)
  }

  @Test func aDenialCountsAtOnceAndTheLampGoesOut() {
    var desk = Self.desk([.init(.user(1_001))])
    let reader = desk.run(Self.reader)
    desk.fix()
    #expect(desk.isLit)
    desk.request(.deny(app: Self.name))
    #expect(desk.seen(reader) == "fd")
    #expect(!desk.isLit)
    desk.fix()
    #expect(desk.seen(reader) == "fd")
  }

  @Test func aGrantOutlastsAPowerCut() {
    var desk = Self.desk()
    desk.request(.allow(app: Self.name, nil))
    desk.cutPower()
    let reader = desk.run(Self.reader)
    desk.fix()
    #expect(desk.seen(reader) == "f")
    #expect(desk.rows(.grants).map { $0[.rowID] } == [Self.name])
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["always"])
    #expect(desk.rows(.grants).map { $0[.rowBy] } == ["command"])
  }

  @Test func theGrantOfOneUserIsNotTheGrantOfAnother() {
    var desk = Self.desk()
    desk.request(.allow(app: Self.name, nil))
    let other = desk.run(.door("nmea", .user(1_002)))
    let terminal = desk.run(Self.terminal)
    desk.fix()
    #expect(desk.seen(other) == "d")
    #expect(desk.seen(terminal) == "d")
  }

  @Test func theProfileGivesAGrantUntilAnOperatorAnswers() {
    var desk = Self.desk([.init(.terminal)])
    let reader = desk.run(Self.terminal)
    desk.fix()
    #expect(desk.rows(.grants).map { $0[.rowID] } == ["door.nmea:tty"])
    #expect(desk.rows(.grants).map { $0[.rowBy] } == ["profile"])
    desk.request(.deny(app: "door.nmea:tty"))
    #expect(desk.rows(.grants).map { $0[.rowBy] } == ["command"])
    desk.request(.reset(app: "door.nmea:tty"))
    desk.fix()
    #expect(desk.seen(reader) == "fdf")
    #expect(desk.rows(.grants).map { $0[.rowBy] } == ["profile"])
  }

  @Test(arguments: [true, false])
  func theProfileGivesNoGrantAfterAnAnswerThatTheDiskCannotRemove(isErased: Bool) {
    var desk = Self.desk([.init(.user(1_001))])
    let reader = desk.run(Self.reader)
    desk.request(.deny(app: Self.name))
    desk.desk.failDisk(call: 0)
    if isErased {
      desk.desk.send(.client(ClientID(number: 900), .requested(7_000, .state(.erase(.all)))))
    } else {
      desk.request(.reset(app: Self.name))
      #expect(desk.lastFailure?.hasPrefix("not done") == true)
    }
    desk.fix()
    #expect(!desk.seen(reader).contains("f"))
    let sources = desk.rows(.grants).map { $0[.rowBy] }
    #expect(sources == ["command"])
  }

  @Test func aResetToLessCountsWithoutTheDisk() {
    var desk = Self.desk([.init(.user(1_001), isReduced: true)])
    desk.request(.allow(app: Self.name, nil, isReduced: false))
    #expect(!desk.desk.engine.apps.isReduced(Self.reader))
    desk.desk.failDisk(call: 0)
    desk.request(.reset(app: Self.name))
    #expect(desk.desk.engine.apps.isReduced(Self.reader))
  }

  @Test func theGrantOfAReaderCountsBeforeTheGrantOfEveryReader() {
    var desk = Self.desk([.init(nil), .init(.user(1_001), isReduced: true)])
    let named = desk.run(Self.reader)
    let other = desk.run(Self.terminal)
    desk.fix()
    #expect(desk.seen(named) == "l")
    #expect(desk.seen(other) == "f")
  }

  @Test func aReaderOfADoorThatTheProfileDoesNotOpenIsUnknown() {
    var desk = Self.desk()
    #expect(desk.request(.allow(app: "door.gpsd:1001", nil))?.kind == .appUnknown)
    #expect(desk.request(.allow(app: "door.nmea:ann", nil))?.kind == .appUnknown)
    #expect(desk.request(.allow(app: Self.name, .whenInUse))?.kind == .notPossible)
    #expect(desk.request(.foreground(app: Self.name))?.kind == .notPossible)
    #expect(desk.request(.allow(app: Self.name, .always)) == nil)
  }

  @Test func aProfileThatRestrictsAllAppsRestrictsReaders() {
    var desk = Self.desk([.init(nil)]) { $0.consent.restricted = .all }
    let reader = desk.run(Self.reader)
    desk.fix()
    #expect(desk.seen(reader) == "r")
  }

  @Test func aProfileThatRestrictsOneReaderRestrictsItAgainstItsGrant() {
    var desk = Self.desk([.init(nil)]) { $0.consent.restricted = .apps([Self.name]) }
    let reader = desk.run(Self.reader)
    #expect(desk.request(.allow(app: Self.name, .always)) == nil)
    desk.fix()
    #expect(desk.seen(reader) == "r")
  }

  // MARK: The light

  @Test func withoutALampAReaderGetsNoLocation() {
    var desk = Self.desk([.init(nil)])
    let reader = desk.run(Self.reader)
    desk.fix()
    desk.desk.lamp = .lost
    desk.desk.wait(11)
    desk.fix()
    #expect(desk.seen(reader) == "fui")
  }

  @Test func onABoardWithoutAnIndicatorWhySaysTheReason() {
    var desk = Self.desk([.init(nil)]) { $0.panel.hasIndicator = false }
    let reader = desk.run(Self.reader)
    desk.fix()
    #expect(desk.seen(reader) == "i")
    let light = desk.rows(.why(app: Self.name)).first { $0[.rowKey] == "light" }
    #expect(
      light?[.rowText]
        == "The indicator cannot be lit: the board has no indicator ([Indicator] of the board's profile)."
    )
  }

  @Test func theLampIsLitAsLongAsAReaderReads() {
    var desk = Self.desk([.init(nil)])
    let readers = [desk.run(Self.reader), desk.run(Self.reader), desk.run(Self.terminal)]
    for reader in readers {
      #expect(desk.isLit)
      desk.desk.end(reader)
    }
    #expect(!desk.isLit)
  }

  // MARK: Reduced accuracy

  @Test func aReaderWithReducedAccuracyGetsTheCellOnceASecondWithThePresentTime() {
    var desk = Self.desk()
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    let app = desk.start(Self.reader)
    desk.desk.open(app, 1, .otherNavigation)
    for _ in 0..<3 { desk.fix() }
    #expect(desk.seen(app) == "lll")
    let places = desk.places(app)
    #expect(places.allSatisfy { $0.latitude == places[0].latitude && $0.latitude != 48 })
    #expect(places.map { $0.time - places[0].time } == [.zero, .seconds(1), .seconds(2)])
    #expect(desk.desk.engine.skyRefusal(for: app)?.kind == .notPermitted)
    // An app gets the cell once, and the time of the cell.
    desk.request(.allow(app: "org.example.tracker", nil, isReduced: true))
    let tracker = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    desk.fix()
    #expect(desk.places(tracker).map(\.time) == [places[0].time])
  }

  /// A door repeats its last place each second, also while no fix comes.
  @Test func aReaderThatBecomesReducedGetsTheCellAtOnce() {
    var desk = Self.desk([.init(.user(1_001))])
    let reader = desk.run(Self.reader)
    desk.fix()
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    #expect(desk.seen(reader) == "fl")
    let places = desk.places(reader)
    #expect(places.map { $0.time - places[0].time } == [.zero, .seconds(1)])
    desk.request(.allow(app: Self.name, nil, isReduced: false))
    desk.fix()
    #expect(desk.seen(reader) == "flf")
  }

  @Test func aReaderWithoutAPositionGetsNoOldCellWhenItBecomesReduced() {
    var desk = Self.desk([.init(.user(1_001))])
    let reader = desk.run(Self.reader)
    desk.fix()
    desk.desk.wait(60)
    #expect(desk.seen(reader) == "fu")
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    #expect(desk.places(reader).count == 1)
    desk.fix()
    #expect(desk.seen(reader).hasSuffix("l"))
  }

  @Test func aFasterReceiverGivesAReaderWithReducedAccuracyOneCellASecond() {
    var desk = Self.desk([.init(nil, isReduced: true)])
    let reader = desk.start(Self.reader)
    desk.desk.open(reader, 1, .otherNavigation)
    var effects: [Effect] = []
    for tenth in 0..<30 as Range<Int64> {
      let fix = Fix(
        latitude: 48, longitude: 11, horizontalAccuracy: 3,
        time: UTCTime(secondsSince1970: 1_790_000_000) + .milliseconds(100 * tenth))
      desk.desk.engine.updates.fixJudged(
        fix, for: desk.desk.engine.apps, at: desk.desk.now, into: &effects)
    }
    desk.desk.effects += effects
    #expect(desk.places(reader).count == 3)
  }

  @Test func anAllowanceKeepsTheAccuracyOfTheProfile() {
    var desk = Self.desk([.init(.user(1_001), isReduced: true)])
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["reduced"])
    desk.request(.allow(app: Self.name, nil, isReduced: false))
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["full"])
  }

  // MARK: Lists

  @Test func aReaderStandsInTheListsOfAppsAndOfUses() {
    var desk = Self.desk([.init(.terminal)])
    #expect(desk.state(Self.terminal) == "not_running")
    let reader = desk.run(Self.terminal)
    for _ in 0..<4 { desk.fix() }
    #expect(desk.state(Self.terminal) == "background")
    #expect(desk.authorization(Self.terminal) == "always")
    _ = desk.start(Self.reader)
    let rows = desk.rows(.apps).filter { $0[.rowID]?.hasPrefix("door.") == true }
    #expect(rows.map { $0[.rowUserID] } == [nil, 1_001])
    #expect(rows.map { $0[.rowProcessIDs] } == [nil, ProcessIDs([7])])
    let uses = desk.rows(.who)
    #expect(uses.map { $0[.rowID] } == ["door.nmea:tty"])
    #expect(uses.map { $0[.rowRole] } == ["door"])
    #expect(uses.map { $0[.rowRight] } == ["always_session"])
    #expect(uses.map { $0[.rowUpdates] } == [4])
    #expect(desk.rows(.audit).map { $0[.rowTo] } == [nil])
    desk.desk.end(reader)
    #expect(desk.rows(.who) == [])
    desk.desk.wait(1)
    desk.cutPower()
    let epochs = desk.rows(.audit)
    #expect(epochs.map { $0[.rowID] } == ["door.nmea:tty"])
    #expect(epochs.map { $0[.rowUpdates] } == [4])
    #expect(epochs.map { $0[.rowIsLampVerified] } == [true])
  }

  @Test func theReasonsOfAReaderNameTheMissingAnswerAndThenTheMissingReader() {
    var desk = Self.desk()
    let reader = desk.run(Self.reader)
    func missing() -> [String] {
      desk.rows(.why(app: Self.name)).dropFirst().filter { $0[.rowHolds] == false }
        .compactMap { $0[.rowKey] }
    }
    #expect(missing().prefix(1) == ["authorization"])
    #expect(
      desk.rows(.why(app: Self.name)).first { $0[.rowKey] == "authorization" }?[.rowChange]
        == "binnacle allow door.nmea:1001, or Grant= of the door in the board's profile")
    desk.request(.allow(app: Self.name, nil))
    #expect(!missing().contains("authorization") && !missing().contains("light"))
    desk.desk.end(reader)
    #expect(missing().contains("use") && !missing().contains("light"))
  }

  @Test(arguments: ["door.nmea:", "door.nmea:+1", "door.nmea:01", "door.:1", "nmea:1", "door.nmea"])
  func aTextThatIsNotTheNameOfAReaderIsNoReader(text: String) {
    #expect(AppID(doorReader: text) == nil)
  }
}
