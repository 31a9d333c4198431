public import BinnacleBasics
public import BinnaclePosix

/// A claimed GPIO line, on a chip of the kernel or on a virtual board; both behave the same.
///
/// Orders are answered by facts, at once or later, in their order; no call blocks. Releasing the object releases
/// the line.
public protocol Line: AnyObject {
  /// The descriptor to poll: for reading while `isReadable`, otherwise only for the removal of the chip.
  var descriptor: Int32 { get }
  /// Whether the descriptor can become readable; an output of the kernel never does.
  var isReadable: Bool { get }
  /// When `deadlineReached` is due; nil while no answer is waited for.
  var nextDeadline: Instant? { get }

  /// Drives an output; answered by `level`, which is read back, or by `lost`.
  func set(_ isActive: Bool, at now: Instant) -> [LineFact]
  /// Reads the level; answered by `level` or by `lost`.
  func read(at now: Instant) -> [LineFact]
  /// The descriptor is ready.
  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact]
  /// No answer came in time.
  func deadlineReached(at now: Instant) -> [LineFact]
}
