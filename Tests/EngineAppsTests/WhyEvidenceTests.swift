import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The evidence for a rest in `binnacle why`: speed and distance are a location, so they need the right to one.
@Suite struct WhyEvidenceTests {
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"

  /// The reason about movement, as a user of the app or an operator reads it.
  private static func movement(for userID: UInt32, _ desk: ConsentDesk) -> String {
    var desk = desk
    let reader = ClientID(number: 70)
    let peer = Peer(
      userID: userID, processID: 9,
      app: .unlisted(userID: userID, executable: "/usr/bin/binnacle"), mayOperate: userID == 0)
    desk.desk.send(.client(reader, .connected(peer, program: "binnacle")))
    desk.desk.send(.client(reader, .requested(5, .consent(.why(app: name)))))
    for case .client(reader, .rows(5, let rows)) in desk.desk.effects {
      return rows.first { $0[.rowKey] == "movement" }?[.rowText] ?? "-"
    }
    return "no answer"
  }

  private static func hasEvidence(_ text: String) -> Bool {
    text.contains(" of the dwell of ") && text.contains("the receiver reports ")
  }

  /// A desk whose tracker belongs to user 1,001 and has updates open in the foreground.
  private static func desk(_ request: ConsentRequest) -> ConsentDesk {
    var desk = ConsentDesk { $0.apps[0].userID = 1_001 }
    _ = desk.run(tracker, hasTerminal: true)
    desk.request(request)
    for _ in 0..<3 { desk.fix() }
    return desk
  }

  @Test func theUserOfAnAppWithItsExactLocationGetsTheEvidence() {
    let desk = Self.desk(.allow(app: Self.name, nil))
    #expect(Self.hasEvidence(Self.movement(for: 1_001, desk)))
    #expect(Self.hasEvidence(Self.movement(for: 0, desk)))
  }

  @Test(arguments: [
    ConsentRequest.allow(app: name, nil, isReduced: true), .deny(app: name),
    .background(app: name),
  ])
  func theUserOfAnotherAppGetsTheStateAlone(_ request: ConsentRequest) {
    let desk = Self.desk(request)
    let text = Self.movement(for: 1_001, desk)
    #expect(text.hasPrefix("The board "), "\(text)")
    #expect(!Self.hasEvidence(text))
  }
}
