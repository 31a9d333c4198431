import TestSupport
import Testing

/// All short histories of apps, answers and the foreground.
@Suite struct ConsentWalkTests {
  @Test func everyShortHistoryKeepsTheRules() {
    let depth = Sweep.isWanted ? 6 : 4
    let walk = ConsentWalk(depth: depth)
    #expect(walk.failure == nil)
    #expect(walk.transitionCount > 10_000)
    print(
      "consent: \(walk.stateCount) states, \(walk.transitionCount) transitions to depth \(depth)")
  }

  @Test(arguments: ConsentWalk.Defect.allCases)
  func theWalkFindsEachBrokenMachine(_ defect: ConsentWalk.Defect) {
    #expect(ConsentWalk(depth: 5, defect: defect).failure != nil, "\(defect)")
  }
}
