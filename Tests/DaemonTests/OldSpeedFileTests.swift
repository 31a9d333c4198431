import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import LocationEngine
import TestSupport
import Testing

@testable import Daemon

/// The notes about the speed file of older versions.
struct OldSpeedFileTests {
  private let folder: TemporaryDirectory
  private let old: String

  init() throws {
    folder = try TemporaryDirectory()
    old = folder("receiver-speed")
  }

  /// The notes of a start about the file.
  private func notes() -> [StateReading.Note] {
    var store = StateStore(
      directory: folder.path, owner: StateStoreTests.owner, geometry: StateStoreTests.geometry)
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil)
    return reading.notes.filter { $0.text.hasPrefix(old) }
  }

  @Test func aPipeIsRemovedAndNotReportedAsTakenOver() {
    #expect(mkfifo(old, 0o600) == 0)
    let pipe = StateReading.Note(
      .warning, "\(old): it is a pipe, not a regular file; it was removed")
    #expect(notes() == [pipe])
    #expect(!Files.exists(old))
    #expect(notes() == [])
  }

  @Test func aFileWithoutASpeedIsRemovedAndNotReportedAsTakenOver() throws {
    try Files.writeAtomically(Array("fast\n".utf8), to: old)
    let useless = StateReading.Note(
      .warning, "\(old): it has no speed of a receiver; it was removed")
    #expect(notes() == [useless])
    #expect(!Files.exists(old))
  }

  @Test func onlyTheFirstSpeedIsReportedAsTakenOver() throws {
    try Files.writeAtomically(Array("38400\n".utf8), to: old)
    #expect(notes() == [StateReading.Note(.info, "\(old): taken over; it was removed")])
    #expect(!Files.exists(old))
    try Files.writeAtomically(Array("9600\n".utf8), to: old)
    let older = StateReading.Note(
      .info, "\(old): not taken over, because the log has a newer speed; it was removed")
    #expect(notes() == [older])
    #expect(!Files.exists(old))
  }

  @Test func aDirectoryStaysAndIsReported() throws {
    try Files.makeDirectory(old, mode: 0o700)
    let notes = notes()
    let start = "\(old): it is a directory, not a regular file; it cannot be removed: "
    #expect(notes.count == 1 && notes.first?.text.hasPrefix(start) == true)
    #expect(Files.exists(old))
  }
}
