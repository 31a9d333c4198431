import CBinnaclePosix
import Glibc

/// A process, held by a process descriptor: a signal never reaches another process that has got the number.
///
/// The corresponding C function is `pidfd_open`.
public final class ProcessHandle: Sendable {
  public let processID: Int32
  private let watch: FileDescriptor

  init(processID: Int32, watch: consuming FileDescriptor) {
    self.processID = processID
    self.watch = watch
  }

  /// Opens the process of this number.
  ///
  /// - Throws: `noSuchProcess` when there is none.
  public init(processID: Int32) throws(Errno) {
    guard processID > 0 else { throw .noSuchProcess }
    self.processID = processID
    watch = try FileDescriptor(watchingProcess: processID)
  }

  /// The descriptor to poll for reading: readable when the process has ended.
  public var descriptor: Int32 { watch.number }

  /// Whether the process has not ended.
  public var isAlive: Bool {
    var query = pollfd(fd: watch.number, events: Int16(POLLIN), revents: 0)
    return poll(&query, 1, 0) == 0
  }

  /// Sends a signal.
  ///
  /// The corresponding C function is `pidfd_send_signal`.
  public func signal(_ number: Int32) throws(Errno) {
    _ = try Errno.check { cposix_process_signal(watch.number, number) }
  }

  /// The end of a child, whose number is free afterwards; nil for a process that runs, or is no child.
  ///
  /// The corresponding C function is `waitid`.
  public func reap() -> ChildProcess.Ending? {
    var isKilled: Int32 = 0
    var value: Int32 = 0
    guard cposix_process_reap(processID, &isKilled, &value) == 1 else { return nil }
    return isKilled == 0 ? .exited(value) : .killed(signal: value)
  }
}
