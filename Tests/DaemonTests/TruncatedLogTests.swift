import BinnacleBasics
import BinnaclePosix
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// A log of state that is cut off, at every byte, as the daemon opens it.
struct TruncatedLogTests {
  private static let noon = UTCTime(secondsSince1970: 1_795_262_400)
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile

  /// In memory where that can be: thousands of files are made and flushed.
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory(inMemory: true)
    path = folder.path
  }

  private func store() -> StateStore {
    StateStore(directory: path, owner: 0x42, geometry: TruncatedLogTests.geometry)
  }

  /// A log with commits in both segments, of one block and of two, and its mark.
  private func makeLog() throws -> (bytes: [UInt8], mark: [UInt8], records: RecordSet) {
    var store = store()
    _ = store.open(at: TruncatedLogTests.noon)
    for number in UInt8(0)..<9 {
      let size = number == 7 ? 600 : 40
      let value = [UInt8](repeating: number, count: size)
      _ = try store.commit([
        try RecordTable.appDefaults.change(key: [number % 4, 0], to: value),
        try RecordTable.receiverSpeed.change(to: [number, 0, 1, 0]),
      ])
    }
    let log = path + "/state.log"
    var again = self.store()
    let records = again.open(at: TruncatedLogTests.noon).records
    return (try Files.read(log), try Files.read(path + "/state.mark"), records)
  }

  /// Puts the first bytes of a log in the place, with its mark.
  private func plant(_ bytes: ArraySlice<UInt8>, _ mark: [UInt8]) throws {
    for name in try Files.list(path) { try Files.remove(path + "/" + name) }
    try Files.writeAtomically(Array(bytes), to: path + "/state.log", mode: 0o600)
    try Files.writeAtomically(mark, to: path + "/state.mark", mode: 0o600)
  }

  @Test func aTruncatedLogIsSetAsideReportedAndReplaced() throws {
    let (bytes, mark, records) = try makeLog()
    #expect(bytes.count == TruncatedLogTests.geometry.byteCount)
    #expect(records.entries.count == 5)
    var wholeCount = 0
    for length in 0..<bytes.count {
      try plant(bytes[..<length], mark)
      var store = store()
      let reading = store.open(at: TruncatedLogTests.noon)
      // Each byte is a case of its own, and a macro for each of them would take minutes.
      guard reading.obstacle == nil else {
        Issue.record("cut off after \(length) bytes: \(String(describing: reading.obstacle))")
        continue
      }
      let aside = try Files.list(path).filter { $0.hasPrefix("state.log.damaged-20261121T") }
      let isSaid = reading.notes.contains {
        $0.level == .error && $0.text.contains(aside.first ?? "?")
      }
      let isInvented = reading.records.entries.contains { entry in
        entry.name.kind == RecordTable.appDefaults.number && !entry.value.allSatisfy { $0 < 9 }
      }
      if aside.count != 1 || !isSaid || isInvented {
        Issue.record("cut off after \(length) bytes: \(aside), \(reading.notes)")
      }
      if reading.records == records { wholeCount += 1 }
      // It is kept from now on, with what was saved.
      _ = try store.commit([try RecordTable.receiverSpeed.change(to: [77, 0, 1, 0])])
      var next = self.store()
      let second = next.open(at: TruncatedLogTests.noon)
      let saved = reading.records.entries.count { $0.name.kind == RecordTable.appDefaults.number }
      let kept = second.records.entries.count { $0.name.kind == RecordTable.appDefaults.number }
      // That it is in memory is said each time.
      if saved != kept || second.notes.contains(where: { $0.level == .error }) {
        Issue.record("after the one cut off at \(length) bytes: \(second.notes)")
      }
    }
    // Where only zeros are missing, or what is not needed any more, nothing is lost.
    #expect(wholeCount > 0)
  }
}
