import BinnaclePosix
import LocationEngine
import StateLog
import TestSupport
import Testing

@testable import Daemon

/// A state directory that was not claimed at the start is claimed before its log is opened.
struct StateClaimTests {
  private static let change = Change(
    StateStoreTests.name, .put([5, 0, 1, 0], isCautious: false))

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func store(claimed: StateDirectory? = nil) -> StateStore {
    StateStore(
      directory: folder.path, owner: StateStoreTests.owner, geometry: StateStoreTests.geometry,
      claimed: claimed)
  }

  /// Another process holds the directory, with or without a log.
  @Test(arguments: [false, true])
  func aLogIsOpenedWithTheClaimOfItsDirectoryOnly(hasLog: Bool) throws {
    if hasLog {
      var first = self.store()
      #expect(first.open(at: StateStoreTests.noon).obstacle == nil)
    }
    let names = try Files.list(folder.path)
    var store = self.store(claimed: StateDirectory(folder.path))
    do {
      let other = try FileLock(path: folder("lock"))
      let reading = store.open(at: StateStoreTests.noon)
      #expect(reading.obstacle?.kind == .passing)
      #expect(reading.obstacle?.text.contains("/lock: held by process ") == true)
      // The log may have a decision that took a right away.
      #expect((reading.damage != nil) == hasLog)
      #expect(throws: CommitFailure.self) { try store.commit([StateClaimTests.change]) }
      _ = consume other
    }
    #expect(try Files.list(folder.path) == (names + ["lock"]).sorted())
    let reading = store.open(at: StateStoreTests.noon)
    #expect(reading.obstacle == nil && reading.damage == nil)
    #expect(throws: SystemError.self) { _ = try FileLock(path: folder("lock")) }
    #expect(store.open(at: StateStoreTests.noon).obstacle == nil)
    _ = try store.commit([StateClaimTests.change])
  }
}
