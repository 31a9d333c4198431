import Basics
import Devices
import LocationEngine
import Posix
import StateLog
import TestSupport
import Testing

@testable import Daemon

struct ScribeTests {
  /// The next events of a scribe, waited for.
  private func events(of scribe: Scribe<StateStore>) -> [Event] {
    var events: [Event] = []
    while events.isEmpty {
      scribe.wait()
      events = scribe.takeEvents()
    }
    return events
  }

  @Test func ordersComeBackAsEventsInTheirOrder() throws {
    let folder = try TemporaryDirectory()
    let scribe = try Scribe(StateStore(directory: folder.path, owner: 1), first: [.open])
    guard case .stateRead(let reading)? = events(of: scribe).first else {
      Issue.record("the log was not read")
      return
    }
    #expect(reading.obstacle == nil)
    let name = RecordName(kind: RecordTable.lastFix.number)
    for number: UInt32 in 1...20 {
      scribe.put(
        .commit(
          number: number,
          [Change(name, .put([UInt8(number)], isCautious: false))]))
    }
    // All are there before the first is fetched, so that their order is that of the desk.
    #expect(
      try eventually {
        var file = try LogFile(path: folder.path + "/state.log", isForReading: true)
        return Recovery(of: &file, owner: 1, expecting: .ofFile).lastCommit == 21
      })
    var answers: [UInt32] = []
    while answers.count < 20 {
      for case .committed(let number, let receipt) in events(of: scribe) {
        #expect(receipt.flushCount == 1)
        #expect(receipt.bytesWritten == 4_096)
        answers.append(number)
      }
    }
    #expect(answers == Array(1...20))
    scribe.put(.open)
    guard case .stateRead(let again)? = events(of: scribe).first else {
      Issue.record("the log was not read again")
      return
    }
    #expect(again.records[name] == [20])
  }

  @Test func aCommitWithoutALogFailsWithItsReason() throws {
    let scribe = try Scribe(
      StateStore(directory: "/proc/nowhere", owner: 1), first: [.open])
    scribe.put(.commit(number: 4, []))
    var failures: [CommitFailure] = []
    while failures.isEmpty {
      for case .commitFailed(4, let failure) in events(of: scribe) { failures.append(failure) }
    }
    #expect(failures == [.closed("the log of state is not open")])
  }
}
