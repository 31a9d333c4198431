import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// A process with a terminal that a person has sent to the background, and that connects again.
@Suite struct AwayProcessesTests {
  private static let boots = ["0", "1"].map { String(repeating: $0, count: 36) }
  private static let tracker = ConsentDesk.tracker

  private static func desk() -> (desk: ConsentDesk, app: ClientID) {
    var desk = ConsentDesk { $0.bootID = boots[0] }
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.desk.connect(tracker, user: 1_001, processID: 70)
    return (desk, app)
  }

  @Test func aProcessThatWasSentToTheBackgroundStaysThereWhenItsDaemonIsKilled() {
    var (desk, _) = Self.desk()
    #expect(desk.state(Self.tracker) == "foreground")
    desk.request(.home)
    for _ in 0..<2 {
      desk.killDaemon()
      _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
      #expect(desk.state(Self.tracker) == "background")
    }
    desk.request(.home)
    #expect(desk.state(Self.tracker) == "foreground")
    desk.killDaemon()
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "foreground")
  }

  @Test func aProcessThatConnectsAgainToTheSameDaemonStaysInTheBackground() {
    var (desk, app) = Self.desk()
    desk.request(.home)
    desk.desk.end(app)
    _ = desk.desk.connect(Self.tracker, user: 1_001, processID: 70)
    #expect(desk.state(Self.tracker) == "background")
  }

  @Test(arguments: [true, false])
  func aNewProcessAtATerminalComesToTheForeground(isOfAnotherBoot: Bool) {
    var (desk, _) = Self.desk()
    desk.request(.home)
    if isOfAnotherBoot { desk.desk.configuration.bootID = Self.boots[1] }
    desk.killDaemon()
    _ = desk.desk.connect(
      Self.tracker, user: 1_001, processID: isOfAnotherBoot ? 70 : 71)
    #expect(desk.state(Self.tracker) == "foreground")
  }

  @Test func theRecordIsReadBackAndOtherBytesAreNot() throws {
    let processes = try #require(
      AwayProcesses(app: Self.tracker, processIDs: (1...20).map { Int32($0) }))
    #expect(processes.processIDs.count == 16)
    let bytes = try #require(processes.bytes(bootID: Self.boots[0]))
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[0]) == processes)
    #expect(AwayProcesses(bytes: bytes, bootID: Self.boots[1]) == nil)
    #expect(AwayProcesses(bytes: bytes, bootID: "") == nil)
    #expect(processes.bytes(bootID: "") == nil)
    for count in 0..<bytes.count {
      let part = AwayProcesses(bytes: Array(bytes.prefix(count)), bootID: Self.boots[0])
      #expect(part != processes)
    }
    #expect(AwayProcesses(app: Self.tracker, processIDs: []) == nil)
    #expect(
      AwayProcesses.text(of: bytes)?.hasPrefix("org.example.tracker, processes 1, 2,") == true)
  }
}
