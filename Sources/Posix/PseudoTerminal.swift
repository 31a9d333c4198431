import CBinnaclePosix
import Glibc

/// The near end of a line that programs take for a serial port; the far end has a name.
///
/// The far end is raw, and this process does not hold it open. A program that opens the far end can lock it for itself. When that
/// program closes the far end, the near end reports a hang-up. Closing the near end is like unplugging the line.
///
/// The corresponding C function is `posix_openpt`.
public final class PseudoTerminal: Sendable {
  private let file: FileDescriptor
  /// The name of the far end, such as `/dev/pts/3`.
  public let farEndName: String

  /// Makes a pair at a speed in baud.
  public init(speed: UInt32 = 9_600) throws(Errno) {
    var name = [CChar](repeating: 0, count: 128)
    file = FileDescriptor(
      owning: try Errno.check { cposix_pseudo_terminal_open(&name, name.count) })
    farEndName = String(terminated: name)
    // After the far end was opened and closed once, it counts as hung up until a program opens it; a fresh one does not.
    let farEnd = try FileDescriptor.open(farEndName, O_RDWR | O_NOCTTY)
    let number = farEnd.number
    _ = try Errno.check { cposix_terminal_make_raw(number, speed) }
  }

  /// The descriptor to poll; hung up while the far end is closed, so wait with a deadline then and not with poll.
  public var descriptor: Int32 { file.number }

  /// Whether a program has the far end open.
  public var isFarEndOpen: Bool {
    var poll = Poll()
    poll.set(descriptor, [])
    guard let count = try? poll.wait(until: .zero) else { return false }
    return count == 0 || !poll.readiness(of: descriptor).contains(.hungUp)
  }

  /// The speed in baud that the far end's owner has set.
  public var speed: UInt32 {
    get throws(Errno) {
      UInt32(clamping: try Errno.check { cposix_terminal_speed(file.number) })
    }
  }

  /// Sets the speed of the far end in baud.
  public func setSpeed(_ speed: UInt32) throws(Errno) {
    _ = try Errno.check { cposix_terminal_set_speed(file.number, speed) }
  }

  /// Reads bytes from the far end.
  ///
  /// - Returns: the number of bytes; 0 when no program has the far end open; nil when there is no data yet.
  public func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    do {
      return try file.read(into: &buffer)
    } catch {
      // Linux answers EIO when the far end is closed.
      if error == .inputOutput { return 0 }
      throw error
    }
  }

  /// Discards the bytes that no program at the far end has read.
  ///
  /// - Throws: the error of the system; `deviceBusy` while a program has locked the far end for itself.
  ///
  /// The corresponding C function is `tcflush`.
  public func discardUnread() throws(Errno) {
    let farEnd = try FileDescriptor.open(farEndName, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    // The kernel holds the bytes in two places: those on the way to the far end, and those that have come there.
    _ = try Errno.check { tcflush(file.number, TCOFLUSH) }
    _ = try Errno.check { tcflush(farEnd.number, TCIFLUSH) }
  }

  /// Writes as much as the line takes.
  ///
  /// Bytes wait for the far end even when it is closed; a real line loses them, see `isFarEndOpen`.
  ///
  /// - Returns: the number of bytes written; nil when the line accepts none now.
  public func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    try file.write(bytes)
  }
}
