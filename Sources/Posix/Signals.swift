import CPosix
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

  /// Makes writing to a closed pipe or socket an error instead of the end of the process.
  public static func ignoreBrokenPipes() {
    cposix_ignore_broken_pipes()
  }
}
