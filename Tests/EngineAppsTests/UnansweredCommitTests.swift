import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The daemon is killed after a commit and before its answer: the client repeats its request, which counts once.
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
    desk.effects.count { if case .storage(.commit) = $0 { true } else { false } }
  }

  @Test(arguments: [false, true])
  func aSwitchThatWasThrownIsFoundSoAndThrownAgainWithoutAWrite(isOn: Bool) {
    var (desk, client) = Self.desk()
    if isOn {
      desk.holdsCommits = false
      desk.send(.client(client, .requested(8, .setServices(isOn: false))))
      desk.holdsCommits = true
    }
    desk.send(.client(client, .requested(9, .setServices(isOn: isOn))))
    #expect(!desk.effects.contains(.client(client, .answer(request: 9, failure: nil))))
    let again = Self.startAgain(&desk)
    #expect(desk.report()["services.on"] == .flag(isOn))
    desk.send(.client(again, .requested(1, .setServices(isOn: isOn))))
    #expect(desk.effects.contains(.client(again, .answer(request: 1, failure: nil))))
    #expect(Self.commitCount(desk) == 0)
  }

  @Test func aDefaultThatWasSetIsFoundAndSetAgainWithoutAWrite() {
    var (desk, client) = Self.desk()
    let entry = DefaultsEntry("trips", .integer(7))
    desk.send(.client(client, .requested(1, .openDefaults)))
    desk.send(.client(client, .requested(2, .setDefaults(isLast: true, [entry]))))
    #expect(!desk.effects.contains(.client(client, .defaultsSettled(request: 2, nil))))
    let again = Self.startAgain(&desk)
    desk.send(.client(again, .requested(1, .openDefaults)))
    #expect(desk.effects.contains(.client(again, .defaults(request: 1, [entry]))))
    desk.send(.client(again, .requested(2, .setDefaults(isLast: true, [entry]))))
    #expect(desk.effects.contains(.client(again, .defaultsSettled(request: 2, nil))))
    #expect(Self.commitCount(desk) == 0)
  }

  @Test func updatesThatWereBegunAreResumedAndAreNotTwo() {
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

  @Test func anUnansweredEraseStaysDoneAndCanBeRepeated() {
    var (desk, client) = Self.desk()
    desk.holdsCommits = false
    desk.open(client)
    desk.holdsCommits = true
    desk.send(.client(client, .requested(5, .state(.erase(.sequences)))))
    let again = Self.startAgain(&desk)
    #expect(desk.count("outstanding.sequences") == 0)
    desk.send(.client(again, .requested(1, .state(.erase(.sequences)))))
    #expect(desk.effects.contains(.client(again, .answer(request: 1, failure: nil))))
    #expect(Self.commitCount(desk) == 0)
  }
}
