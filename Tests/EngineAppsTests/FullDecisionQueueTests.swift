import BinnacleModel
import Testing

@testable import LocationEngine

/// The answers of persons while the disk is slow and no further decision finds a place.
@Suite struct FullDecisionQueueTests {
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"

  @Test func aDenialOutlastsAnEarlierGrantThatStillWaitsForTheDisk() {
    var desk = ConsentDesk()
    let app = desk.run(Self.tracker, hasTerminal: true)
    desk.desk.holdsCommits = true
    desk.request(.deny(app: "org.example.map"))
    desk.request(.allow(app: Self.name, nil))
    for _ in 1..<StorageLimits.decisionsWaitingMax { desk.request(.deny(app: "org.example.mute")) }
    desk.request(.deny(app: Self.name))
    #expect(desk.lastFailure?.contains("done for now, but it is not kept") == true)
    desk.desk.holdsCommits = false
    desk.desk.release()
    desk.fix()
    #expect(desk.authorization(Self.tracker) == "denied")
    #expect(!desk.seen(app).contains("f"))
    desk.desk.wait(31)
    desk.killDaemon()
    #expect(desk.authorization(Self.tracker) == "denied")
  }
}
