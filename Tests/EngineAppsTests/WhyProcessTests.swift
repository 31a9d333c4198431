import BinnacleModel
import Testing

@testable import LocationEngine

/// `binnacle why` and `binnacle apps` for an app with several processes, and the reason `light` of an app that lights no lamp.
@Suite struct WhyProcessTests {
  private static let script = ConsentDesk.script
  private static let tracker = ConsentDesk.tracker

  private static func row(_ key: String, of app: AppID, _ desk: ConsentDesk) -> Report? {
    desk.desk.engine.reasonRows(of: app, at: desk.desk.now).first { $0[.rowKey] == key }
  }

  private static func flags(of app: AppID, _ desk: ConsentDesk) -> String? {
    desk.desk.engine.reasonRows(of: app, at: desk.desk.now).first?[.rowFlags]
  }

  // MARK: Processes

  @Test func theSequencesOfAnOperatorsToolAreNotThoseOfItsProgram() {
    var desk = ConsentDesk()
    let program = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")
    for (number, isOperator) in [(70 as UInt32, false), (71, true)] {
      let peer = Peer(
        userID: 0, processID: Int32(number), app: program, hasTerminal: true,
        file: ConsentDesk.file, mayOperate: true, isOperator: isOperator)
      desk.desk.send(.client(ClientID(number: number), .connected(peer, program: "binnacle")))
      desk.desk.open(ClientID(number: number))
    }
    desk.desk.wait(10)
    // The control: the tool has the report.
    #expect(desk.seen(ClientID(number: 71)) == "u")
    #expect(Self.flags(of: program, desk) == "authorizationRequestInProgress")
  }

  @Test func theProgramThatWasAllowedStandsForTheApp() {
    var desk = ConsentDesk()
    _ = desk.run(Self.script, hasTerminal: true)
    desk.request(.allow(app: "\(Self.script)", nil))
    let newer = ProgramFile(device: 1, number: 71, changeTimeNanoseconds: 2)
    _ = desk.run(Self.script, hasTerminal: true, file: newer)
    desk.request(.allow(app: "\(Self.script)", nil))
    #expect(desk.authorization(Self.script) == "when_in_use")
    #expect(Self.row("authorization", of: Self.script, desk)?[.rowHolds] == true)
    #expect(Self.flags(of: Self.script, desk) == "")
  }

  // MARK: The indicator

  @Test func theGraceOfAnAppWithoutUpdatesLightsNoLamp() {
    var (desk, app) = SessionTests.desk()
    desk.desk.close(app)
    desk.request(.home)
    #expect(!desk.isLit)
    #expect(Self.row("light", of: Self.tracker, desk) == nil)
    #expect(Self.row("use", of: Self.tracker, desk)?[.rowHolds] == true)
    desk.desk.open(app, 2)
    #expect(desk.isLit)
    #expect(Self.row("light", of: Self.tracker, desk)?[.rowHolds] == true)
  }

  @Test func anAppThatLacksItsServiceSessionLightsNoLamp() {
    var (desk, _) = SessionTests.desk { $0.apps[0].needsServiceSession = true }
    desk.request(.home)
    #expect(!desk.isLit)
    #expect(Self.row("light", of: Self.tracker, desk) == nil)
    #expect(Self.row("service_session", of: Self.tracker, desk)?[.rowHolds] == false)
  }
}
