import BinnaclePosix
import TestSupport
import Testing

/// All short histories of two apps: answers, sessions, accuracy, the foreground, the lamp, restarts of the daemon.
@Suite struct RightsWalkTests {
  private static let page = TestData.packageRoot + "/Docs/STATES.md"
  private static let pageDepth = 4

  @Test func everyShortHistoryKeepsTheRules() {
    let depth = Sweep.isWanted ? 6 : RightsWalkTests.pageDepth
    let walk = RightsWalk(depth: depth)
    #expect(walk.failure == nil)
    #expect(walk.transitionCount > 10_000)
    print(
      "rights: \(walk.stateCount) states, \(walk.transitionCount) transitions to depth \(depth)")
  }

  @Test(arguments: RightsWalk.Defect.allCases)
  func theWalkFindsEachBrokenMachine(_ defect: RightsWalk.Defect) throws {
    let rule = try #require(RightsWalk(depth: 4, defect: defect).brokenRule, "\(defect)")
    #expect(rule.hasPrefix(defect.rule))
  }

  @Test func thePageHasTheStatesThatTheWalkFinds() throws {
    let text = StatesPage(changes: RightsWalk(depth: RightsWalkTests.pageDepth).changes).text
    if Environment.value("BINNACLE_DRAW") == "1" {
      try Files.writeAtomically(Array(text.utf8), to: RightsWalkTests.page)
    }
    let page = String(decoding: try Files.read(RightsWalkTests.page), as: UTF8.self)
    #expect(page == text, "run make drawings")
  }
}
