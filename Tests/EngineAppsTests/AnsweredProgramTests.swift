import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The program that an answer is for, while an old and a new program of one path run.
@Suite struct AnsweredProgramTests {
  private static let name = "\(ConsentDesk.script)"
  private static let newer = ProgramFile(device: 1, number: 71, changeTimeNanoseconds: 2)

  /// A desk whose old program was allowed and runs on, and whose new program was allowed later.
  private static func upgraded() -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.request(.allow(app: name, nil))
    let app = desk.run(ConsentDesk.script, hasTerminal: true, file: newer)
    desk.request(.allow(app: name, nil))
    return (desk, app)
  }

  @Test func aLaterAnswerStaysWithTheProgramThatWasAllowed() {
    var (desk, app) = Self.upgraded()
    desk.fix()
    #expect(desk.seen(app) == "pf")
    #expect(desk.request(.allow(app: Self.name, nil)) == nil)
    desk.fix()
    #expect(desk.seen(app) == "pff")
    #expect(desk.request(.allow(app: Self.name, nil, isReduced: true)) == nil)
    desk.fix()
    #expect(desk.seen(app) == "pffl")
    #expect(desk.rows(.prompts) == [])
  }

  @Test(arguments: [ConsentRequest.deny(app: name), .reset(app: name)])
  func aReplacedProgramStaysDeniedAfterItsAppWasDeniedOrReset(answer: ConsentRequest) {
    var desk = ConsentDesk()
    let old = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.request(.allow(app: Self.name, nil))
    let new = desk.run(ConsentDesk.script, hasTerminal: true, file: Self.newer)
    desk.request(.allow(app: Self.name, nil))
    desk.request(answer)
    #expect(desk.rows(.prompts).count == (answer == .reset(app: Self.name) ? 1 : 0))
    #expect(desk.request(.allow(app: Self.name, nil)) == nil)
    desk.fix()
    #expect(desk.seen(new).hasSuffix("f"))
    #expect(desk.seen(old).hasSuffix("d"))
    // The next process of the old program may ask.
    desk.desk.end(old)
    let next = desk.run(ConsentDesk.script, hasTerminal: true)
    #expect(desk.seen(next) == "p")
  }

  @Test func anAnswerWhileOnlyTheReplacedProgramRunsIsRefused() {
    var (desk, app) = Self.upgraded()
    desk.desk.end(app)
    let refusal = desk.request(.allow(app: Self.name, nil))
    #expect(refusal?.text.contains("which a newer file has replaced") == true)
    let again = desk.run(ConsentDesk.script, hasTerminal: true, file: Self.newer)
    desk.fix()
    #expect(desk.seen(again) == "f")
  }

  @Test(arguments: [false, true])
  func anAnswerIsForTheRequestThatIsShown(isByButton: Bool) {
    var desk = ConsentDesk { $0.panel.buttons = [PanelSettings.Button(name: "ALLOW")] }
    desk.desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    let first = desk.run(ConsentDesk.script, hasTerminal: true)
    desk.desk.wait(70)
    // The first request has lapsed, so the person sees the second one.
    let second = desk.run(ConsentDesk.script, hasTerminal: true, file: Self.newer)
    #expect(desk.rows(.prompts).map { $0[.rowIsShown] } == [false, true])
    if isByButton {
      desk.desk.send(.line(.button(0), .edge(isActive: true, at: desk.desk.now)))
      desk.desk.now += .milliseconds(120)
      desk.desk.send(.line(.button(0), .edge(isActive: false, at: desk.desk.now)))
      desk.desk.wait(1)
    } else {
      desk.request(.allow(app: Self.name, nil))
    }
    desk.fix()
    #expect(desk.seen(second) == "pf")
    #expect(desk.seen(first) == "p")
  }
}
