import BinnacleBasics
import BinnaclePosix
import Glibc
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// The log of tracks on a disk: beside the log of state, for the daemon's user alone, and gone when it is erased.
struct TrackStoreTests {
  static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 16) ?? .ofTracks

  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/state"
    try Files.makeDirectory(path, mode: 0o700)
  }

  func store(isKept: Bool = true) -> TrackStore {
    TrackStore(directory: path, owner: 7, isKept: isKept, geometry: TrackStoreTests.geometry)
  }

  /// A stretch of one point with a sign that can be looked for in a file.
  static func stretch(_ number: UInt32) throws -> Change {
    try RecordTable.track.change(
      key: TrackKey.bytes(number), to: Array("where it was, \(number)".utf8))
  }

  func reading(_ store: inout TrackStore) throws -> TrackReading {
    guard case .track(.opened(let reading)) = store.carryOut(.open) else {
      Issue.record("it was not opened")
      return TrackReading()
    }
    return reading
  }

  /// Whether any file in the directory holds a place.
  func holdsPlaces() throws -> Bool {
    try Files.list(path).contains { name in
      let bytes = (try? Files.read(path + "/" + name)) ?? []
      return String(decoding: bytes, as: UTF8.self).contains("where it was")
    }
  }

  @Test func tracksAreKeptInAFileOfTheirOwnForTheDaemonsUserAlone() throws {
    var store = store()
    var found = try reading(&store)
    #expect(found.obstacle == nil && found.stretches.isEmpty)
    #expect(found.sizeMax == TrackStoreTests.geometry.liveSizeMax)
    let answer = store.carryOut(
      .commit(number: 3, [try TrackStoreTests.stretch(1), try TrackStoreTests.stretch(2)]))
    guard case .track(.committed(number: 3, let receipt)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(receipt.flushCount == 1 && receipt.bytesWritten == 512)
    #expect(try Files.list(path) == ["tracks.log"])
    #expect(try Files.status(of: path + "/tracks.log").mode & 0o777 == 0o600)
    var again = self.store()
    found = try reading(&again)
    #expect(found.stretches.map(\.number) == [1, 2])
  }

  @Test func erasedTracksAreInNoFileAnyMore() throws {
    var store = store()
    _ = try reading(&store)
    for number: UInt32 in 1...40 {
      _ = store.carryOut(.commit(number: number, [try TrackStoreTests.stretch(number % 5)]))
    }
    // A damaged one that was set aside tells places, too.
    let bytes = try Files.read(path + "/tracks.log")
    try Files.writeAtomically(bytes, to: path + "/tracks.log.damaged-20261121T101500Z")
    let old = try FileDescriptor.open(path + "/tracks.log", 0)
    #expect(try holdsPlaces())
    #expect(store.carryOut(.erase(number: 50)) == .track(.erased(number: 50, nil)))
    #expect(try !holdsPlaces())
    #expect(try Files.list(path) == ["tracks.log"])
    // A process with an open descriptor finds zeros, and so does a reader of the bare disk.
    var rest = [UInt8](repeating: 1, count: 70_000)
    let count = try #require(try old.read(into: &rest))
    #expect(count == TrackStoreTests.geometry.byteCount)
    #expect(rest.prefix(count).allSatisfy { $0 == 0 })
    // And it goes on at once.
    let answer = store.carryOut(.commit(number: 51, [try TrackStoreTests.stretch(9)]))
    guard case .track(.committed) = answer else {
      Issue.record("\(answer)")
      return
    }
    var again = self.store()
    #expect(try reading(&again).stretches.map(\.number) == [9])
  }

  /// The owner of the directory has put other names of a file into it.
  @Test(arguments: [false, true])
  func anErasureDestroysNoFileThatHasAnotherName(isSymbolic: Bool) throws {
    let precious = folder.path + "/precious"
    let content = [UInt8](repeating: 7, count: TrackStoreTests.geometry.byteCount)
    try Files.writeAtomically(content, to: precious)
    var store = store()
    _ = try reading(&store)
    let aside = path + "/tracks.log.damaged-20261121T101500Z"
    try Files.remove(path + "/tracks.log")
    for name in [path + "/tracks.log", aside] {
      if isSymbolic {
        try #require(symlink("../precious", name) == 0)
      } else {
        try Files.link(name, of: precious)
      }
    }
    var other = self.store()
    #expect(other.carryOut(.erase(number: 1)) == .track(.erased(number: 1, nil)))
    #expect(try Files.read(precious) == content)
    #expect(try Files.status(of: path + "/tracks.log", followingLinks: false).linkCount == 1)
    if !isSymbolic { #expect(!Files.exists(aside)) }
  }

  @Test func oldTracksAreErasedWhereNoneAreKeptAnyMore() throws {
    var store = store()
    _ = try reading(&store)
    _ = store.carryOut(.commit(number: 1, [try TrackStoreTests.stretch(1)]))
    var other = self.store(isKept: false)
    #expect(other.carryOut(.erase(number: 2)) == .track(.erased(number: 2, nil)))
    #expect(try Files.list(path).isEmpty)
    // Nothing there is no error.
    #expect(other.carryOut(.erase(number: 3)) == .track(.erased(number: 3, nil)))
  }

  @Test func aDamagedLogIsSetAsideAndReported() throws {
    try Files.writeAtomically([UInt8](repeating: 9, count: 9_000), to: path + "/tracks.log")
    var store = store()
    let found = try reading(&store)
    #expect(found.obstacle == nil)
    #expect(found.notes.contains { $0.text.contains("tracks.log.damaged-") })
    #expect(try Files.list(path).count == 2)
  }
}
