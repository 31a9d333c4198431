import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Answers about apps after a loss of state that the log has reported.
@Suite struct GrantLossTests {
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"
  private static let operatorClient = ClientID(number: 900)

  /// A desk whose log has reported a loss, with these remaining answers.
  private static func desk(
    _ grants: [(AppID, Grant)] = [], withheld: [AppID] = [], doors: [DoorSettings] = []
  ) throws -> ConsentDesk {
    var desk = ConsentDesk { $0.doors = doors }
    desk.desk.engine = Engine(configuration: desk.desk.engine.configuration, seed: 1)
    var reading = StateReading(damage: "commits 3 to 5 are damaged")
    for (app, grant) in grants {
      let key: [UInt8] = try #require(app.grantKey)
      reading.records.apply(try RecordTable.grant.change(key: key, to: grant.bytes))
    }
    reading.withheld = try withheld.map { app in
      let key: [UInt8] = try #require(app.grantKey)
      return try #require(RecordTable.grant.named(key))
    }
    desk.desk.send(.storage(.read(reading)))
    desk.desk.send(.started)
    let tool = Peer(
      userID: 0, processID: 1, app: .unlisted(userID: 0, executable: "/bin/binnacle"),
      mayOperate: true,
      isOperator: true)
    desk.desk.send(.client(operatorClient, .connected(tool, program: "binnacle")))
    return desk
  }

  private static func accept(_ desk: inout ConsentDesk) {
    desk.desk.send(.client(operatorClient, .requested(77, .state(.accept))))
  }

  @Test func anAppWithoutAnAnswerIsDeniedAndAsksNothing() throws {
    var desk = try Self.desk()
    _ = desk.run(Self.tracker, hasTerminal: true)
    #expect(desk.authorization(Self.tracker) == "denied")
    #expect(desk.rows(.prompts) == [])
    let why = desk.rows(.why(app: Self.name)).first { $0[.rowKey] == "authorization" }
    #expect(why?[.rowText]?.contains("your last answer about it may be lost") == true)
  }

  @Test func aGrantOfTheProfileIsListedWhenTheLossIsAccepted() throws {
    let door = DoorSettings(name: "nmea", grants: [.init(.terminal)])
    var desk = try Self.desk(doors: [door])
    _ = desk.run(.door("nmea", .terminal))
    #expect(desk.authorization(.door("nmea", .terminal)) == "denied")
    #expect(desk.rows(.grants) == [])
    Self.accept(&desk)
    #expect(desk.rows(.grants).map { $0[.rowID] } == ["door.nmea:tty"])
  }

  @Test func anAppWhoseAnswerIsPresentKeepsIt() throws {
    var desk = try Self.desk([(Self.tracker, Grant(.whenInUse, by: .button))])
    #expect(desk.authorization(Self.tracker) == "when_in_use")
    #expect(desk.authorization(ConsentDesk.map) == "denied")
  }

  @Test func anAcceptedLossLetsAppsAskAgain() throws {
    var desk = try Self.desk(withheld: [ConsentDesk.map])
    let app = desk.run(Self.tracker, hasTerminal: true)
    Self.accept(&desk)
    #expect(desk.authorization(Self.tracker) == "not_determined")
    #expect(desk.authorization(ConsentDesk.map) == "not_determined")
    #expect(desk.rows(.prompts).map { $0[.rowID] } == [Self.name])
    #expect(desk.seen(app).last == "p")
  }

  @Test func anAcceptedLossKeepsTheDenialsOfPersons() throws {
    var desk = try Self.desk([(Self.tracker, Grant(.denied, by: .button))])
    desk.request(.deny(app: "org.example.map"))
    Self.accept(&desk)
    #expect(desk.authorization(Self.tracker) == "denied")
    #expect(desk.authorization(ConsentDesk.map) == "denied")
  }

  @Test func aPersonAllowsOrResetsAnAppBeforeTheLossIsAccepted() throws {
    var desk = try Self.desk(withheld: [Self.tracker])
    desk.request(.allow(app: Self.name, .whenInUse))
    #expect(desk.authorization(Self.tracker) == "when_in_use")
    desk.request(.reset(app: Self.name))
    #expect(desk.authorization(Self.tracker) == "not_determined")
    #expect(desk.authorization(ConsentDesk.map) == "denied")
  }

  @Test func anAnswerThatALaterReadingBringsCountsIfNoPersonHasAnsweredSince() throws {
    var desk = ConsentDesk()
    desk.desk.engine = Engine(configuration: desk.desk.engine.configuration, seed: 1)
    desk.desk.send(
      .storage(.read(StateReading(obstacle: StateFault(.passing, "the disk is away")))))
    desk.desk.send(.started)
    let tool = Peer(
      userID: 0, processID: 1, app: .unlisted(userID: 0, executable: "/bin/binnacle"),
      mayOperate: true,
      isOperator: true)
    desk.desk.send(.client(Self.operatorClient, .connected(tool, program: "binnacle")))
    let app = desk.run(Self.tracker, hasTerminal: true)
    desk.request(.reset(app: "org.example.mute"))
    var reading = StateReading()
    for name in [Self.name, "org.example.mute"] {
      let change = try RecordTable.grant.change(
        key: Array(name.utf8), to: Grant(.denied, by: .button).bytes)
      reading.records.apply(change)
    }
    desk.desk.send(.storage(.read(reading)))
    #expect(desk.authorization(Self.tracker) == "denied")
    #expect(desk.authorization(.listed("org.example.mute")) == "not_determined")
    #expect(desk.seen(app).last == "d")
    #expect(desk.rows(.prompts) == [])
  }
}
