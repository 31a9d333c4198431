import TestSupport
import Testing

/// All short histories of an app that the launcher runs.
@Suite struct LifeWalkTests {
  @Test func everyShortLifeKeepsTheRules() {
    let depth = Sweep.isWanted ? 5 : 3
    let walk = LifeWalk(depth: depth)
    #expect(walk.failure == nil)
    #expect(walk.eventCount > 4_000)
    print("life: \(walk.historyCount) histories, \(walk.eventCount) events to depth \(depth)")
  }

  @Test(arguments: LifeWalk.Defect.allCases)
  func theWalkFindsEachBrokenEngine(_ defect: LifeWalk.Defect) throws {
    let rule = try #require(LifeWalk(depth: 3, defect: defect).brokenRule, "\(defect)")
    #expect(rule.hasPrefix(defect.rule))
  }
}
