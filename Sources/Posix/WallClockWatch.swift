import CBinnaclePosix

/// Becomes readable when the wall clock is set.
///
/// The corresponding C function is `timerfd_settime` with `TFD_TIMER_CANCEL_ON_SET`.
public final class WallClockWatch: Sendable {
  private let file: FileDescriptor

  public init() throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_clock_watch_open() })
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  /// Whether the clock was set since the last call; watches on.
  public func wasSet() throws(Errno) -> Bool {
    var expirations = [UInt8](repeating: 0, count: 8)
    do {
      if try file.read(into: &expirations) == nil { return false }
    } catch {
      // The kernel answers ECANCELED when the clock was set.
      if error != .canceled { throw error }
    }
    _ = try Errno.check { cposix_clock_watch_arm(file.number) }
    return true
  }
}
