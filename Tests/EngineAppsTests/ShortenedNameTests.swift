import BinnacleModel
import Testing

@testable import LocationEngine

/// The beginning of an app's name, which the program that asks does not make ambiguous.
@Suite struct ShortenedNameTests {
  private static let tool = AppID.unlisted(userID: 1_001, executable: "/home/ann/sbin/binnacle")
  private static let beginning = "1001:/home/ann/s"

  private static func connect(
    _ client: ClientID, processID: Int32, _ desk: inout ConsentDesk
  ) {
    let peer = Peer(userID: 1_001, processID: processID, app: tool, file: ConsentDesk.file)
    desk.desk.send(.client(client, .connected(peer, program: "binnacle")))
  }

  /// Makes a request; returns the reason of a refusal.
  private static func refusal(
    of request: ConsentRequest, by client: ClientID, _ desk: inout ConsentDesk
  ) -> String? {
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .requested(7_000, .consent(request))))
    for case .client(client, .consentRefusal(7_000, let refusal)) in desk.desk.effects[count...] {
      return refusal.text
    }
    return nil
  }

  @Test func theCommandThatAsksIsNoneOfTheAppsThatABeginningNames() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.script)
    let client = ClientID(number: 70)
    Self.connect(client, processID: 9, &desk)
    #expect(Self.refusal(of: .why(app: Self.beginning), by: client, &desk) == nil)
    #expect(Self.refusal(of: .deny(app: Self.beginning), by: client, &desk) == nil)
    #expect(desk.authorization(ConsentDesk.script) == "denied")
    #expect(desk.authorization(Self.tool) == "not_determined")
  }

  @Test func theWholeNameNamesTheCommandThatAsks() {
    var desk = ConsentDesk()
    let client = ClientID(number: 70)
    Self.connect(client, processID: 9, &desk)
    #expect(Self.refusal(of: .deny(app: "\(Self.tool)"), by: client, &desk) == nil)
    #expect(desk.authorization(Self.tool) == "denied")
  }

  @Test func anotherProcessOfItsProgramIsAnApp() {
    var desk = ConsentDesk()
    _ = desk.run(ConsentDesk.script)
    let client = ClientID(number: 70)
    Self.connect(client, processID: 9, &desk)
    Self.connect(ClientID(number: 71), processID: 10, &desk)
    let text = Self.refusal(of: .deny(app: Self.beginning), by: client, &desk)
    #expect(text?.hasPrefix("several apps begin with '\(Self.beginning)'") == true)
  }
}
