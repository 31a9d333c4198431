import BinnacleModel
import Testing

@testable import LocationEngine

/// The limit of the answers that a user adds by denials of the own programs.
@Suite struct DenialLimitTests {
  private static let user: UInt32 = 1_002
  private static let limit = 32

  private static func program(_ number: Int, user: UInt32 = user) -> AppID {
    .unlisted(userID: user, executable: "/home/bob/copy-\(number)")
  }

  /// A program of a user connects, denies itself, and ends; returns the refusal.
  private static func denyItself(
    _ number: Int, user: UInt32 = user, _ desk: inout ConsentDesk
  ) -> ConsentRefusal? {
    denyItself(program(number, user: user), user: user, &desk)
  }

  private static func denyItself(
    _ app: AppID, user: UInt32, _ desk: inout ConsentDesk
  ) -> ConsentRefusal? {
    let client = ClientID(number: 1_000)
    let peer = Peer(userID: user, processID: 100, app: app, file: ConsentDesk.file)
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .connected(peer, program: "copy")))
    desk.desk.send(.client(client, .requested(7_000, .consent(.deny(app: "\(app)")))))
    desk.desk.send(.client(client, .disconnected))
    for case .client(client, .consentRefusal(7_000, let refusal)) in desk.desk.effects[count...] {
      return refusal
    }
    return nil
  }

  /// A desk on which a user has denied as many programs as possible.
  private static func full() -> ConsentDesk {
    var desk = ConsentDesk()
    for number in 0..<limit { _ = denyItself(number, &desk) }
    return desk
  }

  @Test func placesForTheAnswersAboutOtherAppsRemain() {
    var desk = ConsentDesk()
    let refusals = (0..<300).map { Self.denyItself($0, &desk) }
    #expect(refusals.prefix(Self.limit).allSatisfy { $0 == nil })
    #expect(refusals.dropFirst(Self.limit).allSatisfy { $0?.kind == .notPossible })
    #expect(refusals.last??.text.contains("an operator calls 'binnacle reset APP'") == true)
    #expect(desk.request(.allow(app: "org.example.tracker", nil)) == nil)
    #expect(desk.lastFailure == nil)
    // The programs of another user have places of their own.
    #expect(Self.denyItself(0, user: 1_003, &desk) == nil)
    #expect(desk.rows(.grants).count == Self.limit + 2)
  }

  @Test func aPersonWithManyUserNumbersLeavesPlacesForTheAnswersAboutOtherApps() {
    var desk = ConsentDesk()
    let refusals = (0..<300).map { number in
      Self.denyItself(number, user: 2_000 + UInt32(number) / 30, &desk)
    }
    #expect(refusals.prefix(128).allSatisfy { $0 == nil })
    #expect(refusals.dropFirst(128).allSatisfy { $0?.kind == .notPossible })
    #expect(refusals.last??.text.contains("128 programs of all users") == true)
    // A program that has an answer is denied again.
    let repeated = Self.denyItself(0, user: 2_000, &desk)
    #expect(repeated == nil)
    let other = Self.program(1_000)
    _ = desk.desk.connect(other, user: Self.user, hasTerminal: true, file: ConsentDesk.file)
    let refusal = desk.request(.allow(app: "\(other)", nil))
    #expect(refusal == nil)
    let authorization = desk.authorization(other)
    #expect(authorization == "when_in_use")
  }

  @Test func programsThatTheDaemonCannotSeeCountToo() {
    var desk = ConsentDesk()
    let refusals = (UInt32(0)..<200).map { number in
      Self.denyItself(AppID.unresolved(userID: 2_000 + number), user: 2_000 + number, &desk)
    }
    #expect(refusals.prefix(128).allSatisfy { $0 == nil })
    #expect(refusals.dropFirst(128).allSatisfy { $0?.kind == .notPossible })
  }

  @Test func denialsThatWaitForTheDiskCount() {
    var desk = ConsentDesk()
    desk.desk.holdsCommits = true
    let refusals = (0..<60).map { Self.denyItself($0, &desk) }
    #expect(refusals.count { $0 == nil } == Self.limit)
  }

  @Test func aRefusedDenialLeavesTheAppWithoutALocation() {
    var desk = Self.full()
    #expect(Self.denyItself(Self.limit, &desk) != nil)
    let app = desk.desk.connect(
      Self.program(Self.limit), user: Self.user, hasTerminal: true, file: ConsentDesk.file)
    desk.desk.open(app)
    desk.fix()
    #expect(desk.seen(app) == "p")
  }

  @Test func aDenialOfAnAppThatHasAnAnswerIsNeverRefused() {
    var desk = Self.full()
    let other = Self.program(Self.limit)
    _ = desk.desk.connect(other, user: Self.user, hasTerminal: true, file: ConsentDesk.file)
    #expect(desk.request(.allow(app: "\(other)", nil)) == nil)
    #expect(desk.authorization(other) == "when_in_use")
    #expect(Self.denyItself(0, &desk) == nil)
    #expect(Self.denyItself(Self.limit, &desk) == nil)
    #expect(desk.authorization(other) == "denied")
  }

  @Test func theAnswersOfOperatorsAreNotLimited() {
    var desk = Self.full()
    for number in Self.limit..<(Self.limit + 5) {
      let app = Self.program(number)
      _ = desk.desk.connect(app, user: Self.user, hasTerminal: true, file: ConsentDesk.file)
      #expect(desk.request(.deny(app: "\(app)")) == nil)
      #expect(desk.authorization(app) == "denied")
    }
  }
}
