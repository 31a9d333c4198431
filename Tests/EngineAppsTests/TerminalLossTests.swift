import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Apps without a manifest whose terminal closes while they run.
@Suite struct TerminalLossTests {
  private static let script = ConsentDesk.script
  private static let name = "\(ConsentDesk.script)"

  @Test func anAppWithoutAManifestLeavesTheForegroundWithItsTerminal() {
    var desk = ConsentDesk()
    let app = desk.run(Self.script, hasTerminal: true)
    desk.request(.allow(app: Self.name, nil))
    desk.fix()
    #expect(desk.state(Self.script) == "foreground")
    desk.desk.send(.client(app, .terminalLost))
    desk.fix()
    #expect(desk.seen(app) == "pfi")
    #expect(desk.state(Self.script) == "background")
    #expect(desk.rows(.who) == [])
    let use = desk.rows(.why(app: Self.name)).first { $0[.rowKey] == "use" }
    #expect(use?[.rowText]?.contains("has no terminal") == true)
  }

  @Test func anAppWithAnotherTerminalStaysInTheForeground() {
    var desk = ConsentDesk()
    let first = desk.run(Self.script, hasTerminal: true)
    let second = desk.run(Self.script, hasTerminal: true)
    desk.request(.allow(app: Self.name, nil))
    desk.desk.send(.client(first, .terminalLost))
    desk.fix()
    #expect(desk.seen(first) == "pf")
    #expect(desk.state(Self.script) == "foreground")
    desk.desk.send(.client(second, .terminalLost))
    desk.fix()
    #expect(desk.seen(first) == "pfi")
    #expect(desk.seen(second) == "pfi")
  }

  @Test func theRequestOfAnAppThatHasLostItsTerminalIsNotShown() {
    var desk = ConsentDesk()
    let app = desk.run(Self.script, hasTerminal: true)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [true])
    desk.desk.send(.client(app, .terminalLost))
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [false])
  }

  @Test func anAppOfAManifestStaysInTheForegroundWithoutItsTerminal() {
    var desk = ConsentDesk()
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.request(.allow(app: "org.example.tracker", nil))
    desk.desk.send(.client(app, .terminalLost))
    desk.fix()
    #expect(desk.seen(app) == "pf")
    #expect(desk.state(ConsentDesk.tracker) == "foreground")
  }

  @Test func anUnknownClientHasNoTerminalToLose() {
    var desk = ConsentDesk()
    let app = desk.run(Self.script, hasTerminal: true)
    desk.desk.send(.client(ClientID(number: 777), .terminalLost))
    #expect(desk.state(Self.script) == "foreground")
    #expect(desk.seen(app) == "p")
  }
}
