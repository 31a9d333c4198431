import CBinnaclePosix
import Glibc

/// Signals as bytes of a pipe, so that a loop meets them where it meets everything else.
///
/// One at a time in a process.
///
/// The corresponding C function is `sigaction`.
public final class Signals: Sendable {
  private let file: FileDescriptor
  private let caught: [Signal]

  public enum Signal: Int32, CaseIterable, Sendable {
    case hangUp = 1
    case interrupt = 2
    case user1 = 10
    case user2 = 12
    case terminate = 15
    case continued = 18
    /// SIGTSTP: the request of a shell or a person to stop for now.
    case stop = 20
    case windowChanged = 28
  }

  /// Catches these signals from now on; `busy` when another `Signals` is alive.
  public init(_ signals: [Signal]) throws(Errno) {
    let numbers = signals.map { $0.rawValue }
    file = FileDescriptor(
      owning: try Errno.check { cposix_signals_open(numbers, numbers.count) })
    caught = signals
  }

  deinit {
    cposix_signals_close(caught.map { $0.rawValue }, caught.count)
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  /// The next signal that has come; nil when there is none.
  public func next() -> Signal? {
    var byte: [UInt8] = [0]
    // Only this process uses the pipe, so reading cannot fail; an empty pipe gives nil.
    guard let count = try? file.read(into: &byte), count == 1 else { return nil }
    return Signal(rawValue: Int32(byte[0]))
  }

  /// Waits until a descriptor accepts bytes or a signal arrives, so that writing to a full descriptor can be interrupted.
  ///
  /// At most 4096 bytes (PIPE_BUF, pipe(7)) are then taken without waiting.
  ///
  /// - Parameter descriptor: the descriptor to write to.
  /// - Returns: whether it takes bytes; false when a caught signal has come and it does not.
  public static func waitForRoom(in descriptor: Int32) -> Bool {
    let signals = cposix_signals_descriptor()
    guard signals >= 0 else { return true }
    var poll = Poll()
    poll.set(descriptor, .writing)
    poll.set(signals, .reading)
    // If a descriptor cannot be polled, the write reports the error.
    guard (try? poll.wait(until: nil)) != nil else { return true }
    return !poll.readiness(of: descriptor).isEmpty
  }

  /// Whether the process ignores a signal, as its parent may have arranged with nohup(1).
  public static func isIgnored(_ signal: Signal) -> Bool {
    cposix_signal_is_ignored(signal.rawValue) == 1
  }

  /// Stops this process until it is continued, as SIGTSTP does to a program that does not catch the signal.
  ///
  /// The kernel ignores the request if no shell is there to continue the process.
  ///
  /// The corresponding C function is `raise`.
  public func suspend() { cposix_suspend() }

  /// Makes writing to a closed pipe or socket an error instead of the end of the process.
  public static func ignoreBrokenPipes() {
    cposix_ignore_broken_pipes()
  }
}
