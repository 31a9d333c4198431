import BinnaclePosix
import Devices
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// Logs on a disk that has no space for an old log and a new one.
struct SmallDiskTests {
  private typealias FileMaker = @Sendable (String, LogGeometry) throws(BlockFault) -> LogFile

  private static let geometry = StateStoreTests.geometry

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try Files.resolve(folder.path)
  }

  private func store(_ name: String = StateStore.stateName) -> StateStore {
    StateStore(directory: path, owner: 0x42, geometry: SmallDiskTests.geometry, name: name)
  }

  private func change(_ byte: UInt8) -> Change {
    Change(StateStoreTests.name, .put([byte, 0, 1, 0], isCautious: false))
  }

  /// The records of the log, as the next daemon reads them.
  private func read(_ name: String = StateStore.stateName) -> StateReading {
    var store = store(name)
    return store.open(at: StateStoreTests.noon)
  }

  // MARK: The disk

  /// Makes files as long as all files of the directory fit into a number of bytes.
  private static func disk(of size: Int, at path: String) -> FileMaker {
    { (file: String, geometry: LogGeometry) throws(BlockFault) -> LogFile in
      if SmallDiskTests.spaceInUse(at: path) + geometry.byteCount > size {
        throw BlockFault.noSpace
      }
      return try LogFile.make(file, geometry: geometry)
    }
  }

  /// The bytes of the files in a directory, and of its removed files that this process has open.
  private static func spaceInUse(at path: String) -> Int {
    let names = (try? Files.list(path)) ?? []
    let descriptors = ((try? Files.list("/proc/self/fd")) ?? []).map { "/proc/self/fd/" + $0 }
    let removed = descriptors.filter { link in
      let target = (try? Files.linkTarget(link)) ?? ""
      return target.hasPrefix(path + "/") && target.hasSuffix(" (deleted)")
    }
    return (names.map { path + "/" + $0 } + removed).reduce(0) { sum, file in
      sum + ((try? Files.status(of: file)).map { Int($0.size) } ?? 0)
    }
  }

  // MARK: Removed logs

  @Test(arguments: [StateStore.stateName, TrackStore.name])
  func aRemovedLogIsReplacedWithoutSpaceForBoth(name: String) throws {
    var store = store(name)
    let mark = name == StateStore.stateName ? CommitMark.byteCount : 0
    let size = SmallDiskTests.geometry.byteCount * 3 / 2 + mark
    store.makeFile = SmallDiskTests.disk(of: size, at: path)
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil)
    _ = try store.commit([change(5)])
    try Files.remove(path + "/" + name)
    let other = Change(RecordName(kind: RecordTable.lastFix.number), .put([1], isCautious: false))
    _ = try store.commit([other])
    let found = read(name)
    #expect(found.records[StateStoreTests.name] == [5, 0, 1, 0])
    #expect(found.records.entries.count == 2)
    #expect(found.damage == nil)
  }

  @Test func aRemovedLogReturnsWhenTheDiskHasSpace() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([change(5)])
    try Files.remove(path + "/state.log")
    store.makeFile = SmallDiskTests.disk(of: CommitMark.byteCount, at: path)
    for _ in 0..<2 {
      #expect(throws: CommitFailure.fault(.noSpace)) { try store.commit([change(6)]) }
    }
    store.makeFile = SmallDiskTests.disk(of: .max, at: path)
    _ = try store.commit([])
    let found = read()
    #expect(found.records[StateStoreTests.name] == [5, 0, 1, 0])
    #expect(found.damage == nil)
  }

  @Test func aLogWithAnotherNameKeepsItsBytes() throws {
    var store = store()
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([change(5)])
    let bytes = try Files.read(path + "/state.log")
    try Files.rename(path + "/state.log", to: path + "/kept")
    store.makeFile = SmallDiskTests.disk(of: CommitMark.byteCount, at: path)
    #expect(throws: CommitFailure.fault(.noSpace)) { try store.commit([change(6)]) }
    #expect(try Files.read(path + "/kept") == bytes)
  }

  // MARK: Erased logs

  @Test func tracksAreErasedWithoutSpaceForAnEmptyLog() throws {
    var store = store(TrackStore.name)
    store.makeFile = SmallDiskTests.disk(of: SmallDiskTests.geometry.byteCount * 3 / 2, at: path)
    _ = store.open(at: StateStoreTests.noon)
    _ = try store.commit([try TrackStoreTests.stretch(1)])
    let old = try FileDescriptor.open(path + "/" + TrackStore.name, 0)
    try store.erase(beginsAnew: true)
    var rest = [UInt8](repeating: 0, count: 9_000)
    let count = try old.read(into: &rest) ?? 0
    #expect(!String(decoding: rest.prefix(count), as: UTF8.self).contains("where it was"))
    #expect(try Files.list(path) == [TrackStore.name])
    _ = try store.commit([try TrackStoreTests.stretch(2)])
    let found = read(TrackStore.name)
    #expect(found.records.entries.map(\.name.key) == [TrackKey.bytes(2)])
  }
}
