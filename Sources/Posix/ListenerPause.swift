public import BinnacleBasics
import Glibc

/// The pause of a listener for which the system has no free descriptor or no memory.
///
/// The connection that was not accepted waits on, so its listener stays readable. Polling it would keep the program busy.
public struct ListenerPause: Sendable {
  static let length = Interval.seconds(1)

  /// The end of the pause; nil: the listener is polled.
  public private(set) var end: Instant?

  public init() {}

  /// Begins a pause if the error of `accept` says that descriptors or memory ran out.
  ///
  /// - Returns: whether a pause has begun. After other errors the connection does not wait any more.
  public mutating func begin(after error: Errno, at now: Instant) -> Bool {
    guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code) else { return false }
    end = now + ListenerPause.length
    return true
  }

  public mutating func deadlineReached(at now: Instant) {
    if let end, end <= now { self.end = nil }
  }
}
