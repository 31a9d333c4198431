import BinnaclePosix
import Synchronization

/// The claimed state directory: two daemons would overwrite each other's files.
final class StateDirectory: Sendable {
  /// The lock that excludes other daemons; the kernel releases it when this process ends for any reason.
  private final class Claim: Sendable {
    private let lock: FileLock

    init(_ directory: String) throws(SystemError) {
      lock = try FileLock(path: directory + "/lock")
    }
  }

  let path: String
  /// nil before the directory is claimed.
  private let held = Mutex(Claim?.none)

  init(_ path: String) {
    self.path = path
  }

  /// Creates and claims the directory, unless it is claimed already.
  ///
  /// - Throws: the reason why the directory cannot be claimed; `wouldBlock` if another process has claimed it.
  func claim() throws(SystemError) {
    let path = path
    let failure: SystemError? = held.withLock { held in
      if held != nil { return nil }
      do throws(SystemError) {
        try Files.makeDirectory(path, mode: 0o700, withParents: true)
        held = try Claim(path)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}
