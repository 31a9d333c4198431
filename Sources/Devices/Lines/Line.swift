public import BinnacleBasics
public import BinnaclePosix

/// A claimed GPIO line, on a chip of the kernel or on a virtual board; the same to whoever uses it.
///
/// Orders are answered by facts, at once or later, in their order; none blocks. Letting go of the object lets go of
/// the line.
public protocol Line: AnyObject {
  /// What to poll: for reading while `isReadable`, else only for the chip's going.
  var descriptor: Int32 { get }
  /// Whether something may be read; an output of the kernel never has anything to say.
  var isReadable: Bool { get }
  /// When `deadlineReached` is due; nil while no answer is waited for.
  var nextDeadline: Instant? { get }

  /// Drives an output; answered by `level`, which is read back, or by `lost`.
  func set(_ isActive: Bool, at now: Instant) -> [LineFact]
  /// Looks at the level; answered by `level` or by `lost`.
  func read(at now: Instant) -> [LineFact]
  /// The descriptor has something to say.
  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact]
  /// An answer has not come in time.
  func deadlineReached(at now: Instant) -> [LineFact]
}
