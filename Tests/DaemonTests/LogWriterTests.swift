import BinnacleBasics
import BinnaclePosix
import Devices
import LocationEngine
import StateLog
import Synchronization
import TestSupport
import Testing

@testable import Daemon

struct LogWriterTests {
  /// The next events of a log writer, waited for.
  private func events(of logWriter: LogWriter<StateStore>) -> [Event] {
    var events: [Event] = []
    while events.isEmpty {
      logWriter.wait()
      events = logWriter.takeEvents()
    }
    return events
  }

  @Test func ordersComeBackAsEventsInTheirOrder() throws {
    let folder = try TemporaryDirectory()
    let logWriter = try LogWriter(StateStore(directory: folder.path, owner: 1), first: [.open])
    guard case .storage(.read(let reading))? = events(of: logWriter).first else {
      Issue.record("the log was not read")
      return
    }
    #expect(reading.obstacle == nil)
    let name = RecordName(kind: RecordTable.lastFix.number)
    for number: UInt32 in 1...20 {
      logWriter.put(
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
      for case .storage(.committed(let number, let receipt)) in events(of: logWriter) {
        #expect(receipt.flushCount == 1)
        #expect(receipt.bytesWritten == 4_096)
        answers.append(number)
      }
    }
    #expect(answers == Array(1...20))
    logWriter.put(.open)
    guard case .storage(.read(let again))? = events(of: logWriter).first else {
      Issue.record("the log was not read again")
      return
    }
    #expect(again.records[name] == [20])
  }

  @Test func aCommitWithoutALogFailsWithItsReason() throws {
    let logWriter = try LogWriter(
      StateStore(directory: "/proc/nowhere", owner: 1), first: [.open])
    logWriter.put(.commit(number: 4, []))
    var failures: [CommitFailure] = []
    while failures.isEmpty {
      for case .storage(.commitFailed(4, let failure)) in events(of: logWriter) {
        failures.append(failure)
      }
    }
    #expect(failures == [.closed("the log of state is not open")])
  }

  @Test func aFaultOfTheMarkFollowsItsCommit() throws {
    let folder = try TemporaryDirectory()
    let logWriter = try LogWriter(StateStore(directory: folder.path, owner: 1), first: [.open])
    _ = events(of: logWriter)
    try Files.remove(folder("state.mark"))
    // A directory in the place of the draft stands for a disk that fails.
    try Files.makeDirectory(folder("state.mark.new"), mode: 0o700)
    let name = RecordName(kind: RecordTable.lastFix.number)
    logWriter.put(.commit(number: 1, [Change(name, .put([1], isCautious: false))]))
    var found: [Event] = []
    while found.count < 2 { found += events(of: logWriter) }
    guard case .storage(.committed(1, _)) = found[0],
      case .storage(.markChanged(fault: .some)) = found[1]
    else {
      Issue.record("\(found)")
      return
    }
  }

  /// A disk hangs, and signals come: a reload, then a stop.
  @Test(arguments: [false, true])
  func aRequestToStopEndsTheWaitForAHangingDisk(hangUpReloads: Bool) throws {
    let disk = try EventFD()
    let arrival = try EventFD()
    let logWriter = try LogWriter(HangingStore(disk: disk), first: [1])
    arrival.signal()
    var signals: [Signals.Signal] = [.hangUp, .terminate]
    let stopped = StateWait(
      for: logWriter, signals: arrival.descriptor, hangUpReloads: hangUpReloads
    ) { signals.isEmpty ? nil : signals.removeFirst() }
    let wanted: Signals.Signal = hangUpReloads ? .terminate : .hangUp
    #expect(stopped.stop == wanted)
    #expect(stopped.isReloadDue == hangUpReloads)
    #expect(stopped.events.isEmpty)
    // The control: the disk answers, and a signal that comes later ends nothing.
    disk.signal()
    let read = StateWait(
      for: logWriter, signals: arrival.descriptor, hangUpReloads: hangUpReloads
    ) { nil }
    #expect(read.stop == nil && read.events == [.started])
    logWriter.finish(by: Clock.now + .seconds(60))
  }

  /// A store whose order waits for the disk.
  private struct HangingStore: LogWriterStore {
    static let thread = "hanging"
    let disk: EventFD

    mutating func carryOut(_ order: Int) -> Event {
      var poll = Poll()
      poll.set(disk.descriptor, .reading)
      _ = try? poll.wait(until: nil)
      return .started
    }
  }

  @Test func deferredWorkRunsAtItsTimeAndAtTheEnd() throws {
    let store = DeferringStore()
    let logWriter = try LogWriter(store, first: [])
    // The order defers work to an instant in the past.
    logWriter.put(1)
    #expect(try eventually { store.done.withLock { $0 } == ["order", "deadline"] })
    logWriter.put(2)
    logWriter.finish(by: Clock.now + .seconds(60))
    #expect(store.done.withLock { $0 }.last == "end")
  }

  /// A store that notes what it is asked for.
  private final class DeferringStore: LogWriterStore {
    static let thread = "deferring"
    let done = Mutex<[String]>([])

    func carryOut(_ order: Int) -> Event {
      done.withLock { $0.append("order") }
      return .started
    }

    var nextDeadline: Instant? {
      done.withLock { $0.last == "order" ? .zero : nil }
    }

    func deadlineReached(at now: Instant) {
      done.withLock { if $0.last == "order" { $0.append("deadline") } }
    }

    func close() { done.withLock { $0.append("end") } }
  }
}
