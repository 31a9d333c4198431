import Board
import Diagnosis
import Testing

/// Tests the findings about lights and buttons after the trial with the person at the board.
struct PanelFindingTests {
  private func examination(_ name: String = "healthy-raspberry-pi-4") throws -> Examination {
    let tree = try MachineTree(name)
    return Examination(of: tree, tree.inquiry)
  }

  private func lamp(
    _ section: String, _ change: (inout Examination.LampAnswer) -> Void
  ) throws -> [String] {
    var examination = try examination()
    let lamp = try #require(examination.lamps.first { $0.section == section })
    var answer = Examination.LampAnswer()
    change(&answer)
    examination.lampTried(lamp, answer)
    return examination.findings.map(\.line)
  }

  private func button(
    _ answer: Examination.ButtonAnswer, _ change: (inout Profile.Button) -> Void = { _ in }
  ) throws -> [String] {
    var examination = try examination()
    var button = try #require(examination.profile?.buttons.first)
    change(&button)
    examination.buttonTried(button, answer)
    return examination.findings.map(\.line)
  }

  @Test func workingPartsGiveNoFinding() throws {
    #expect(try lamp("Indicator") { _ in } == [])
    #expect(try button(.tried(missed: [])) == [])
  }

  @Test func anInvertedLampIsAdvisedTheOppositeActiveLow() throws {
    let lines = try lamp("StatusLED") {
      $0.isSeenLit = false
      $0.isSeenDark = false
    }
    #expect(
      lines == [
        "fault: GPIO24 of pinctrl-bcm2711: the status light is dark when it must be lit, and lit when it must be "
          + "dark; to mend it: ActiveLow=yes in [StatusLED] of a drop-in of the profile"
      ])
  }

  @Test func anInvisibleLampIsReportedWithItsWires() throws {
    #expect(
      try lamp("Indicator") { $0.isSeenLit = false } == [
        "fault: GPIO23 of pinctrl-bcm2711: the indicator is not seen lit; to mend it: see that the lamp and its "
          + "resistor lie between GPIO23 and ground, and turn an LED round"
      ])
    #expect(
      try lamp("Indicator") { $0.isSeenDark = false } == [
        "fault: GPIO23 of pinctrl-bcm2711: the indicator is not seen dark; to mend it: check that the lamp is wired to "
          + "GPIO23 and that nothing else feeds it"
      ])
  }

  @Test func aLineThatDoesNotReadBackIsReported() throws {
    let lines = try lamp("Indicator") { $0.readsLit = false }
    #expect(
      lines == [
        "fault: GPIO23 of pinctrl-bcm2711: the indicator's line: set lit it reads back dark; to mend it: disconnect "
          + "everything else that drives or shorts GPIO23, or name another line with [Indicator] Line= in a drop-in of the "
          + "profile"
      ])
  }

  @Test func aSilentButtonIsReportedWithItsWiresAndSettings() throws {
    #expect(
      try button(.silent) == [
        "fault: GPIO5 of pinctrl-bcm2711: button HOME: no press was seen; to mend it: wire it between GPIO5 and "
          + "ground; [Button HOME] says ActiveLow=yes and Bias=pull-up"
      ])
  }

  @Test func aStuckButtonIsReportedAsAShortOrWithTheRightBias() throws {
    #expect(
      try button(.stuck) == [
        "fault: GPIO5 of pinctrl-bcm2711: button HOME: it reads pressed all the time; to mend it: look for a short of "
          + "GPIO5 to ground; a button that goes to 3.3 V wants ActiveLow=no and Bias=pull-down in [Button HOME] of a "
          + "drop-in of the profile"
      ])
    #expect(
      try button(.stuck) { $0.bias = .pullDown } == [
        "fault: GPIO5 of pinctrl-bcm2711: button HOME: it reads pressed all the time; to mend it: Bias=pull-up in "
          + "[Button HOME] of a drop-in of the profile, or a resistor that does the same; now [Button HOME] says "
          + "ActiveLow=yes and Bias=pull-down"
      ])
  }

  @Test func pressesThatWereNotSeenAreNamed() throws {
    #expect(
      try button(.tried(missed: ["long", "double"])) == [
        "note: GPIO5 of pinctrl-bcm2711: button HOME: no long and no double press was seen, others were; to mend it: "
          + "try again; LongPress=, ShortMax= and DoubleWindow= in [Buttons] of a drop-in of the profile say how long "
          + "is long"
      ])
  }

  @Test func aDaemonThatHasTheLinesIsToBeStoppedInTheRightWay() throws {
    let text = "GPIO23 on pinctrl-bcm2711: held by 'binnacle indicator'"
    var served = try examination()
    let goesOn1 = served.lineFailed("GPIO23", key: "[Indicator] Line=", .held, text)
    #expect(!goesOn1)
    #expect(
      served.findings.map(\.line) == [
        "fault: lights and buttons: the daemon has them: \(text); to mend it: sudo systemctl stop binnacled.service, and "
          + "start it again after the test"
      ])
    var own = try examination("healthy-virtual")
    let goesOn2 = own.lineFailed("GPIO23", key: "[Indicator] Line=", .held, text)
    #expect(!goesOn2)
    #expect(own.findings.last?.mend == "kill 612, and start it again after the test")
  }

  @Test func aLineOfAnotherProgramIsSkipped() throws {
    var examination = try examination()
    let text = "GPIO23 on pinctrl-bcm2711: held by 'gpio-fan'"
    let goesOn3 = examination.lineFailed("GPIO23", key: "[Indicator] Line=", .held, text)
    #expect(goesOn3)
    #expect(
      examination.findings.map(\.line) == [
        "fault: GPIO23 of pinctrl-bcm2711: [Indicator] Line= names it; \(text); to mend it: end what has it, or name "
          + "another line with [Indicator] Line= in a drop-in of the profile"
      ])
    let goesOn4 = examination.lineFailed("GPIO24", key: "[StatusLED] Line=", .failed, "gone")
    #expect(goesOn4)
    #expect(examination.findings.last?.name == .lineFails)
    let goesOn5 = examination.lineFailed("GPIO24", key: "[StatusLED] Line=", .chipMissing, "none")
    #expect(!goesOn5)
    let goesOn6 = examination.lineFailed("GPIO24", key: "[StatusLED] Line=", .notPermitted, "no")
    #expect(!goesOn6)
  }

  @Test func faultsFoundByInspectionAreNotRepeatedByTheTrial() throws {
    var examination = try examination("ill-4-lines")
    let count = examination.findings.count
    let goesOn7 = examination.lineFailed(
      "GPIO23", key: "[Indicator] Line=", .held, "held by 'gpio-fan'")
    #expect(goesOn7)
    #expect(examination.findings.count == count)
  }

  @Test func aBoardWithoutLightsAndButtonsIsNoFault() throws {
    var examination = try examination("healthy-desk")
    examination.panelMissing()
    #expect(
      examination.findings.map(\.line) == [
        "note: lights and buttons: the profile names no light and no button"
      ])
  }
}
