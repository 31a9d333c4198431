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

  /// A failed disk preserves no right: a smaller right counts as one that is taken away.
  @Test(arguments: [
    ConsentRequest.allow(app: AllowedAccuracyTests.name, nil, isReduced: true),
    .allow(app: AllowedAccuracyTests.name, .whenInUse),
  ])
  func aSmallerRightHasItsEffectAlsoWhenTheDiskFails(_ request: ConsentRequest) {
    var (desk, _) = SessionTests.desk(.always)
    desk.desk.failDisk(call: 0)
    desk.request(request)
    #expect(desk.lastFailure?.contains("done for now") == true)
    let row = desk.rows(.grants).first
    #expect(row?[.rowAuthorization] == "when_in_use" || row?[.rowAccuracy] == "reduced")
  }

  @Test(arguments: [false, true])
  func aLargerRightHasNoEffectWhenTheDiskFails(isReduced: Bool) {
    var (desk, _) = SessionTests.desk(.whenInUse)
    desk.request(.allow(app: Self.name, nil, isReduced: true))
    desk.desk.failDisk(call: 0)
    // The authorization grows, whatever the accuracy.
    desk.request(.allow(app: Self.name, .always, isReduced: isReduced))
    #expect(desk.lastFailure?.contains("not done") == true)
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["when_in_use"])
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["reduced"])
  }

  /// The denial has its effect when the disk fails, and the answer after it must not give the right back.
  @Test func aSmallerRightAfterADenialThatWaitsIsARightThatIsGiven() {
    var (desk, _) = SessionTests.desk(.always)
    desk.desk.holdsCommits = true
    desk.desk.failDisk(call: 0)
    desk.request(.deny(app: Self.name))
    desk.request(.allow(app: Self.name, .whenInUse))
    desk.desk.holdsCommits = false
    desk.desk.failDisk(call: 0)
    desk.desk.release()
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["denied"])
  }

  /// The control is a larger right, which waits for the disk.
  @Test(arguments: [true, false])
  func aSmallerRightHasItsEffectAfterTwoSecondsBehindTheDefaultsOfAnApp(isSmaller: Bool) {
    var (desk, app) = SessionTests.desk(isSmaller ? .always : .whenInUse)
    desk.desk.holdsCommits = true
    desk.desk.send(.client(app, .requested(60, .openDefaults)))
    let entry = DefaultsEntry("trips", .integer(7))
    desk.desk.send(.client(app, .requested(61, .setDefaults(isLast: true, [entry]))))
    desk.request(.allow(app: Self.name, isSmaller ? .whenInUse : .always))
    #expect(desk.lastFailure == "-")
    desk.desk.wait(3)
    #expect(desk.lastFailure?.hasPrefix("done, but not kept yet") == isSmaller)
    desk.desk.holdsCommits = false
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == ["when_in_use"])
    desk.desk.release()
    let last = isSmaller ? "when_in_use" : "always"
    #expect(desk.rows(.grants).map { $0[.rowAuthorization] } == [last])
  }
}
