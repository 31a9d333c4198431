import BinnacleBasics
import BinnaclePosix
import Devices
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// A log of state without a readable mark keeps services off; no log gets its name before its mark.
struct StateMarkTests {
  /// The damage of a mark.
  enum Fault: CaseIterable {
    case removed, random, zeros, short, pipe, link, directory
  }

  private static let noon = StateStoreTests.noon
  private static let services = RecordName(kind: RecordTable.locationServices.number)
  private static let speed = RecordName(kind: RecordTable.receiverSpeed.number)

  private let folder: TemporaryDirectory
  private let path: String
  private let log: String
  private let mark: String
  private let grant: RecordName

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/state"
    log = path + "/state.log"
    mark = path + "/state.mark"
    try Files.makeDirectory(path, mode: 0o700)
    grant = try #require(RecordTable.grant.named(Array("org.example.map".utf8)))
  }

  private func store() -> StateStore {
    StateStore(directory: path, owner: 0x42, geometry: StateStoreTests.geometry)
  }

  /// A log in which services are on and an app is allowed; its commits take the blocks 1 to 3.
  private func makeLog(lastIsOff: Bool = false) throws {
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.obstacle == nil && reading.damage == nil)
    _ = try store.commit([
      Change(StateMarkTests.services, .put([1], isCautious: true)),
      Change(StateMarkTests.speed, .put([9, 0, 1, 0], isCautious: false)),
    ])
    _ = try store.commit([Change(grant, .put([1, 4], isCautious: true))])
    _ = try store.commit([
      Change(StateMarkTests.services, .put([lastIsOff ? 0 : 1], isCautious: true)),
      Change(grant, .put([1, lastIsOff ? 2 : 3], isCautious: true)),
    ])
    store.close()
  }

  private func damage(_ fault: Fault) throws {
    let bytes = try Files.read(mark)
    try Files.remove(mark)
    switch fault {
    case .removed: break
    case .random:
      var random = Random(seed: 5)
      let noise = bytes.map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try Files.writeAtomically(noise, to: mark)
    case .zeros: try Files.writeAtomically(bytes.map { _ in 0 }, to: mark)
    case .short: try Files.writeAtomically(Array(bytes.dropLast()), to: mark)
    case .pipe: #expect(mkfifo(mark, 0o600) == 0)
    case .link:
      try Files.writeAtomically(bytes, to: path + "/elsewhere")
      try Files.makeLink(mark, to: "elsewhere")
    case .directory: try Files.makeDirectory(mark, mode: 0o700)
    }
  }

  private func lossCount(_ reading: StateReading) -> Int {
    reading.records.count(ofKind: RecordTable.damage.number)
  }

  // MARK: Damage

  @Test(arguments: Fault.allCases)
  func aLogWithoutAReadableMarkKeepsServicesOff(fault: Fault) throws {
    try makeLog()
    try damage(fault)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.obstacle == nil)
    let text = try #require(reading.damage)
    #expect(text.contains("its mark is") && text.contains("commits after 4 may be lost"))
    let errors = reading.notes.filter { $0.level == .error }.map(\.text)
    #expect(errors.contains { $0.contains("a decision may be among them") })
    #expect(errors.contains { $0.contains("its end may be lost; it is kept as state.log.dam") })
    #expect(reading.records[StateMarkTests.services] == [0])
    #expect(reading.records[StateMarkTests.speed] == [9, 0, 1, 0])
    #expect(reading.records[grant] == nil && reading.withheld.contains(grant))
    // The next daemon finds the record of the loss, and a mark.
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil && lossCount(second) == 1)
    #expect(second.records[StateMarkTests.services] == [0])
    let status = try Files.status(of: mark, followingLinks: false)
    #expect(status.kind == .file && status.mode == 0o600)
  }

  @Test(arguments: Fault.allCases)
  func aLostDecisionWithALostMarkIsNotUndone(fault: Fault) throws {
    try makeLog(lastIsOff: true)
    try damage(fault)
    var bytes = try Files.read(log)
    for index in 3 * 512..<4 * 512 { bytes[index] = 0 }
    try Files.writeAtomically(bytes, to: log)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.damage != nil)
    #expect(reading.records[StateMarkTests.services] == [0])
    #expect(reading.records[grant] == nil && reading.withheld.contains(grant))
  }

  @Test func aMissingLogWithAnUnreadableMarkIsReported() throws {
    try makeLog()
    try damage(.random)
    try Files.remove(log)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    let text = "\(log) is missing, and its mark is unreadable: every decision is lost"
    #expect(reading.damage == text)
    #expect(reading.records[StateMarkTests.services] == [0])
    #expect(lossCount(reading) == 1)
  }

  @Test func aLogOfAnotherBoardBesideTheMarkIsALostLog() throws {
    try makeLog(lastIsOff: true)
    let folder = try TemporaryDirectory()
    var foreign = StateStore(
      directory: folder.path, owner: 0x43, geometry: StateStoreTests.geometry)
    _ = foreign.open(at: StateMarkTests.noon)
    _ = try foreign.commit([Change(StateMarkTests.services, .put([1], isCautious: true))])
    foreign.close()
    try Files.writeAtomically(try Files.read(folder.path + "/state.log"), to: log)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.damage?.contains("is damaged") == true, "\(String(describing: reading.damage))")
    #expect(lossCount(reading) == 1)
    #expect(reading.records[StateMarkTests.services] == [0])
    // The control: with the other board's mark the log has moved, and nothing of this board is lost.
    try Files.writeAtomically(try Files.read(folder.path + "/state.log"), to: log)
    try Files.writeAtomically(try Files.read(folder.path + "/state.mark"), to: mark)
    var moved = self.store()
    #expect(moved.open(at: StateMarkTests.noon).damage == nil)
  }

  @Test func aFileOfZerosIsALostLog() throws {
    let size = StateStoreTests.geometry.byteCount
    try Files.writeAtomically([UInt8](repeating: 0, count: size), to: log)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.damage != nil)
    #expect(reading.notes.contains { $0.text.contains("it has nothing but zeros; it is kept") })
    #expect(reading.records[StateMarkTests.services] == [0])
  }

  @Test func aNewLogBeginsWithTheRecordOfTheLoss() throws {
    try makeLog()
    try damage(.removed)
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    var file = try LogFile(path: log, isForReading: true)
    let found = Recovery(of: &file, owner: 0x42, expecting: StateStoreTests.geometry)
    // The copy of all records follows commit 4 of the log before; no commit follows.
    #expect(found.lastCommit == 5)
    #expect(found.records.count(ofKind: RecordTable.damage.number) == 1)
  }

  @Test func aLossIsStoredWithoutSpaceForANewLog() throws {
    try makeLog()
    try damage(.removed)
    var store = store()
    store.makeFile = { (_: String, _: LogGeometry) throws(BlockFault) -> LogFile in
      throw BlockFault.noSpace
    }
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.obstacle == nil && reading.damage != nil)
    #expect(reading.notes.contains { $0.text.contains("the damaged log stays in use") })
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil && lossCount(second) == 1)
    #expect(second.records[StateMarkTests.services] == [0])
  }

  /// The log is full, so that the record of the loss has no space at the start.
  @Test func theFirstCommitHasALossThatCouldNotBeStored() throws {
    try makeLog()
    let filler = try #require(RecordName(kind: RecordTable.appDefaults.number, key: [97]))
    var full = self.store()
    _ = full.open(at: StateMarkTests.noon)
    let live = try #require(full.log?.records.encodedSize)
    let room = StateStoreTests.geometry.liveSizeMax - live - 13
    _ = try full.commit([
      Change(filler, .put([UInt8](repeating: 1, count: room), isCautious: false))
    ])
    _ = try full.commit([Change(grant, .put([1, 2], isCautious: true))])
    full.close()
    // The block of the denial is lost.
    let end = try #require(full.log?.acknowledgedBytes.upperBound)
    var bytes = try Files.read(log)
    for index in end - 512..<end { bytes[index] = 0 }
    try Files.writeAtomically(bytes, to: log)
    var store = self.store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.damage?.contains("commit 6 is damaged") == true)
    #expect(lossCount(reading) == 0 && store.isLossPending)
    _ = try store.commit([Change(filler, .remove)])
    #expect(!store.isLossPending)
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil && lossCount(second) == 1)
    #expect(second.records[grant] == nil)
  }

  // MARK: Creation

  @Test func theFirstStartIsNoDamage() throws {
    for _ in 0..<2 {
      var store = store()
      let reading = store.open(at: StateMarkTests.noon)
      #expect(reading.damage == nil && reading.withheld.isEmpty)
      #expect(!reading.notes.contains { $0.level == .error })
      #expect(try Files.list(path) == ["state.log", "state.mark"])
    }
  }

  /// A power cut has interrupted the first start: after the mark, or after the log.
  @Test(arguments: [false, true])
  func anInterruptedFirstStartIsNoDamage(hasLog: Bool) throws {
    _ = try StateMark.make(
      mark, sequence: 0, records: RecordSet(), owner: 0x42, protecting: RecordTable.protecting)
    if hasLog {
      let file = try LogFile.make(log, geometry: StateStoreTests.geometry)
      _ = try StateLog.create(on: file, owner: 0x42, geometry: StateStoreTests.geometry)
    }
    for name in [log, mark] { try Files.writeAtomically([1, 2, 3], to: name + ".new") }
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.damage == nil && reading.obstacle == nil)
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil)
    let names = try Files.list(path)
    #expect(!names.contains { $0.contains("damaged") })
  }

  @Test func theFirstLogWaitsForItsMark() throws {
    // A directory in the place of the draft stands for a disk that fails.
    try Files.makeDirectory(mark + ".new", mode: 0o700)
    var store = store()
    let obstacle = store.open(at: StateMarkTests.noon).obstacle
    #expect(obstacle?.kind == .passing)
    #expect(!Files.exists(log))
    #expect(rmdir(mark + ".new") == 0)
    let second = store.open(at: StateMarkTests.noon)
    #expect(second.obstacle == nil && second.damage == nil)
  }

  // MARK: Removal while the daemon runs

  @Test func aMarkThatIsRemovedIsMadeAgainWithTheNextCommit() throws {
    try makeLog()
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    try Files.remove(mark)
    _ = try store.commit([Change(StateMarkTests.speed, .put([7], isCautious: false))])
    var next = self.store()
    let reading = next.open(at: StateMarkTests.noon)
    #expect(reading.damage == nil)
    #expect(reading.records[StateMarkTests.speed] == [7])
  }

  @Test func aMarkThatIsRemovedIsMadeAgainAtTheEnd() throws {
    try makeLog()
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    try Files.remove(mark)
    store.close()
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil)
  }

  @Test func logAndMarkThatAreRemovedAreMadeAgain() throws {
    try makeLog()
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    for name in try Files.list(path) { try Files.remove(path + "/" + name) }
    _ = try store.commit([Change(StateMarkTests.speed, .put([7], isCautious: false))])
    var next = self.store()
    let reading = next.open(at: StateMarkTests.noon)
    #expect(reading.damage == nil && lossCount(reading) == 0)
    #expect(reading.records[StateMarkTests.services] == [1])
    #expect(reading.records[grant] == [1, 3])
  }

  @Test func aMarkThatCannotBeWrittenIsReportedAndMadeLater() throws {
    try makeLog()
    try damage(.removed)
    try Files.makeDirectory(mark + ".new", mode: 0o700)
    var store = store()
    let reading = store.open(at: StateMarkTests.noon)
    #expect(reading.obstacle == nil)
    let begin = StateMarkTests.faults(of: &store)
    let fault: String? = begin.first ?? nil
    #expect(begin.count == 1)
    #expect(fault?.hasPrefix("\(mark): the mark of the log") == true)
    #expect(rmdir(mark + ".new") == 0)
    _ = try store.commit([Change(StateMarkTests.speed, .put([7], isCautious: false))])
    let end = StateMarkTests.faults(of: &store)
    #expect(end == [nil])
    var next = self.store()
    let second = next.open(at: StateMarkTests.noon)
    #expect(second.damage == nil)
  }

  // MARK: Faults while the daemon runs

  /// The faults of the mark in the news of a store, oldest first; nil for the end of a fault.
  private static func faults(of store: inout StateStore) -> [String?] {
    var faults: [String?] = []
    for event in store.takeNews() {
      guard case .storage(.markChanged(let fault)) = event else {
        Issue.record("\(event)")
        continue
      }
      faults.append(fault)
    }
    return faults
  }

  @Test func aCommitWithoutItsMarkIsAcknowledgedAndTheFaultReportedOnce() throws {
    try makeLog()
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    let before = StateMarkTests.faults(of: &store)
    #expect(before.isEmpty)
    try Files.remove(mark)
    try Files.makeDirectory(mark + ".new", mode: 0o700)
    _ = try store.commit([Change(grant, .put([1, 2], isCautious: true))])
    let first = StateMarkTests.faults(of: &store)
    #expect(first.count == 1)
    let fault: String? = first.first ?? nil
    let text = try #require(fault)
    #expect(text.hasPrefix("\(mark): the mark of the log cannot be written ("), "\(text)")
    #expect(text.hasSuffix("), so the next start may report a loss"), "\(text)")
    _ = try store.commit([Change(grant, .put([1, 3], isCautious: true))])
    store.deadlineReached(at: Clock.now + .seconds(3_600))
    let second = StateMarkTests.faults(of: &store)
    #expect(second.isEmpty)
    #expect(rmdir(mark + ".new") == 0)
    _ = try store.commit([Change(grant, .put([1, 2], isCautious: true))])
    let last = StateMarkTests.faults(of: &store)
    #expect(last == [nil])
  }

  @Test func aMarkThatCannotBeWrittenAtTheEndIsReported() throws {
    try makeLog()
    var store = store()
    _ = store.open(at: StateMarkTests.noon)
    try Files.remove(mark)
    try Files.makeDirectory(mark + ".new", mode: 0o700)
    store.close()
    let faults = StateMarkTests.faults(of: &store)
    #expect(faults.count == 1)
  }
}
