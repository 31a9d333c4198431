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

  /// What to poll for reading.
  public var descriptor: Int32 { file.number }

  /// The next signal that has come; nil when there is none.
  public func next() -> Signal? {
    var byte: [UInt8] = [0]
    // The pipe is ours alone and cannot fail; nothing to read is nil.
    guard let count = try? file.read(into: &byte), count == 1 else { return nil }
    return Signal(rawValue: Int32(byte[0]))
  }

  /// Waits until a descriptor takes bytes, so that who writes to one that is full can still be interrupted.
  ///
  /// At most 4096 bytes (PIPE_BUF, pipe(7)) are then taken without waiting.
  ///
  /// - Parameter descriptor: what is to be written to.
  /// - Returns: whether it takes bytes; false when a caught signal has come and it does not.
  public static func waitForRoom(in descriptor: Int32) -> Bool {
    let signals = cposix_signals_descriptor()
    guard signals >= 0 else { return true }
    var poll = Poll()
    poll.set(descriptor, .writing)
    poll.set(signals, .reading)
    // What cannot be waited for is told by writing.
    guard (try? poll.wait(until: nil)) != nil else { return true }
    return !poll.readiness(of: descriptor).isEmpty
  }

  /// Makes writing to a closed pipe or socket an error instead of the end of the process.
  public static func ignoreBrokenPipes() {
    cposix_ignore_broken_pipes()
  }
}
