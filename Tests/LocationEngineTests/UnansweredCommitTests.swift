import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The daemon is killed when a commit is on the disk and nobody has been told: whoever asked asks again, and it counts once.
@Suite struct UnansweredCommitTests {
  /// A desk whose disk is done and says nothing, with a client of an app.
  private static func desk() -> (OutstandingDesk, ClientID) {
    var desk = OutstandingDesk()
    desk.holdsCommits = true
    let client = desk.connect(OutstandingDesk.walker)
    return (desk, client)
  }

  /// The next daemon, on a disk that answers.
  private static func startAgain(_ desk: inout OutstandingDesk) -> ClientID {
    desk.holdsCommits = false
    desk.killDaemon()
    return desk.connect(OutstandingDesk.walker)
  }

  private static func commitCount(_ desk: OutstandingDesk) -> Int {
    desk.effects.count { if case .commit = $0 { true } else { false } }
  }

  @Test(arguments: [false, true])
  func aSwitchThatWasThrownIsFoundSoAndThrownAgainWithoutAWrite(isOn: Bool) {
    var (desk, client) = Self.desk()
    if isOn {
      desk.holdsCommits = false
      desk.send(.servicesRequested(client, request: 8, isOn: false))
      desk.holdsCommits = true
    }
    desk.send(.servicesRequested(client, request: 9, isOn: isOn))
    #expect(!desk.effects.contains(.answer(client, request: 9, failure: nil)))
    let again = Self.startAgain(&desk)
    #expect(desk.report()["services.on"] == .flag(isOn))
    desk.send(.servicesRequested(again, request: 1, isOn: isOn))
    #expect(desk.effects.contains(.answer(again, request: 1, failure: nil)))
    #expect(Self.commitCount(desk) == 0)
  }

  @Test func aDefaultThatWasSetIsFoundAndSetAgainWithoutAWrite() {
    var (desk, client) = Self.desk()
    let entry = DefaultsEntry("trips", .integer(7))
    desk.send(.defaultsRequested(client, request: 1))
    desk.send(.defaultsSet(client, request: 2, isLast: true, [entry]))
    #expect(!desk.effects.contains(.defaultsSettled(client, request: 2, nil)))
    let again = Self.startAgain(&desk)
    desk.send(.defaultsRequested(again, request: 1))
    #expect(desk.effects.contains(.defaults(again, request: 1, [entry])))
    desk.send(.defaultsSet(again, request: 2, isLast: true, [entry]))
    #expect(desk.effects.contains(.defaultsSettled(again, request: 2, nil)))
    #expect(Self.commitCount(desk) == 0)
  }

  @Test func updatesThatWereBegunAreTakenUpAndAreNotTwo() {
    var (desk, client) = Self.desk()
    desk.open(client)
    let again = Self.startAgain(&desk)
    #expect(desk.count("outstanding.sequences") == 1)
    desk.open(again)
    #expect(desk.count("outstanding.sequences") == 1)
    #expect(desk.count("outstanding.rejoined") == 1)
    desk.wait(60)
    #expect(desk.kept(OutstandingDesk.walker) == LiveUpdatesRecord([.default: 1]))
    #expect(Self.commitCount(desk) == 0)
  }

  @Test func whatWasErasedStaysErasedAndIsErasedAgain() {
    var (desk, client) = Self.desk()
    desk.holdsCommits = false
    desk.open(client)
    desk.holdsCommits = true
    desk.send(.stateWished(client, request: 5, .erase(.sequences)))
    let again = Self.startAgain(&desk)
    #expect(desk.count("outstanding.sequences") == 0)
    desk.send(.stateWished(again, request: 1, .erase(.sequences)))
    #expect(desk.effects.contains(.answer(again, request: 1, failure: nil)))
    #expect(Self.commitCount(desk) == 0)
  }
}
