import BinnacleBasics
import BinnaclePosix

/// The wait for room in the queue of connections at the daemon's socket.
///
/// A full queue is no absence of the daemon. The daemon runs, and programs connect faster than the
/// daemon accepts. Each attempt waits in the kernel, and the client tries again until an attempt
/// succeeds or the time is over.
struct QueueWait: Sendable {
  /// The time from the first attempt to the last.
  static let timeMax = Interval.seconds(5)
  /// The longest wait of one attempt in the kernel; the owner's other work stands still meanwhile.
  static let patience = Interval.milliseconds(100)
  /// The pause between two attempts.
  static let pause = Interval.milliseconds(1)

  /// The first attempt that found the queue full; nil: there was none.
  private var since: Instant?
  /// The time of the next attempt; nil: the client does not wait for room.
  private(set) var nextAttempt: Instant?

  /// Notes that an attempt has found the queue full.
  ///
  /// - Parameter now: the time at the start of the attempt.
  /// - Returns: whether to try again; false when the time is over, which ends the wait.
  mutating func queueWasFull(at now: Instant) -> Bool {
    let start = since ?? now
    guard now - start < QueueWait.timeMax else {
      self = QueueWait()
      return false
    }
    since = start
    nextAttempt = now + QueueWait.pause
    return true
  }

  /// The failure of a wait whose time is over.
  static func failure(at path: String) -> SystemError {
    let seconds = timeMax.nanoseconds / 1_000_000_000
    return SystemError(
      .wouldBlock,
      description:
        "\(path): the daemon's queue of connections was full for \(seconds) s, because programs "
        + "connect faster than the daemon accepts; the daemon's log names ordinary users that "
        + "connect too often")
  }
}
