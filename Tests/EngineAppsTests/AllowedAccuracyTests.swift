import BinnacleModel
import Testing

@testable import LocationEngine

/// Commands that name only an accuracy, while an app requests locations at all times.
@Suite struct AllowedAccuracyTests {
  private static let name = "org.example.tracker"

  /// A desk with an app that may use its location while it is in use, and asks for more.
  private static func asking(_ adjust: (inout Configuration) -> Void = { _ in }) -> ConsentDesk {
    var (desk, app) = SessionTests.desk(.whenInUse, adjust)
    desk.hold(.service(.always), by: app)
    return desk
  }

  @Test(arguments: [false, true])
  func anAccuracyAloneKeepsTheAuthorizationAndTheRequest(isReduced: Bool) {
    var desk = Self.asking()
    #expect(desk.rows(.prompts).map { $0[.rowRequest] } == ["always"])
    desk.request(.allow(app: Self.name, nil, isReduced: isReduced))
    let accuracy = isReduced ? "reduced" : "full"
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["when_in_use"])
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == [accuracy])
    #expect(desk.rows(.prompts).map { $0[.rowRequest] } == ["always"])
    desk.request(.allow(app: Self.name, nil))
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["always"])
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == [accuracy])
    #expect(desk.rows(.prompts) == [])
  }

  @Test func theCommandForTheExactLocationGivesNothingElse() throws {
    var desk = Self.asking { $0.apps[0].isAccuracyReduced = true }
    let rows = desk.rows(.why(app: Self.name))
    let change = try #require(rows.first { $0[.rowKey] == "accuracy" }?[.rowChange])
    #expect(change == "binnacle allow org.example.tracker full")
    desk.request(.allow(app: Self.name, nil, isReduced: false))
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["when_in_use"])
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["full"])
  }
}
