import CBinnaclePosix
import Glibc

/// Two ends of a line that programs take for a serial port; this is the near end, the other one has a name.
///
/// The far end is raw and is not held open: whoever opens it alone can have it for itself, and its owner's
/// going is seen here as a hang-up. Letting go of the near end is pulling the plug.
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
    // Opened and closed once, the far end counts as hung up until somebody opens it; a fresh one does not.
    let farEnd = try FileDescriptor.open(farEndName, O_RDWR | O_NOCTTY)
    let number = farEnd.number
    _ = try Errno.check { cposix_terminal_make_raw(number, speed) }
  }

  /// What to poll; hung up while nobody has the far end open, so wait with a deadline then and not with poll.
  public var descriptor: Int32 { file.number }

  /// Whether somebody has the far end open.
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

  /// Reads what the far end wrote.
  ///
  /// - Returns: how many bytes; 0 when nobody has the far end open; nil when there is nothing yet.
  public func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    do {
      return try file.read(into: &buffer)
    } catch {
      // How Linux says that the far end is closed.
      if error == .inputOutput { return 0 }
      throw error
    }
  }

  /// Writes as much as the line takes.
  ///
  /// Bytes wait for the far end even when nobody has it open; a real line loses them, see `isFarEndOpen`.
  ///
  /// - Returns: how many bytes were taken; nil when the line takes none now.
  public func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    try file.write(bytes)
  }
}
