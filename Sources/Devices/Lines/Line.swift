public import BinnacleBasics
public import BinnaclePosix

/// A claimed GPIO line, on a kernel chip or on a virtual board; both behave the same.
///
/// Facts report the outcomes of orders, immediately or later, in the same order; no call blocks. Releasing the object
/// releases the line.
public protocol Line: AnyObject {
  /// The descriptor to poll: for reading while `isReadable`, otherwise only for the removal of the chip.
  var descriptor: Int32 { get }
  /// Whether the descriptor can become readable; the descriptor of a kernel output never does.
  var isReadable: Bool { get }
  /// The next call time of `deadlineReached`; nil if no answer is pending.
  var nextDeadline: Instant? { get }

  /// Drives an output; the result is the measured `level`, or `lost`.
  func set(_ isActive: Bool, at now: Instant) -> [LineFact]
  /// Reads the level; the result is `level` or `lost`.
  func read(at now: Instant) -> [LineFact]
  /// Handles the readiness of the descriptor.
  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact]
  /// Handles a missing answer.
  func deadlineReached(at now: Instant) -> [LineFact]
}
