import BinnaclePosix
import Glibc
import Simulation

/// The file of `binnacle-sim board --log`: a line for each change of a lamp or a button.
///
/// `MONOTONIC_NS lamp|button NAME 0|1`: the time of `CLOCK_MONOTONIC` in nanoseconds, the kind and the name of the part, and
/// 1 if the lamp is lit or the button is pressed. A line is in the file before the board answers the order that has caused
/// the change.
final class BoardLog {
  private let file: FileDescriptor
  private let path: String

  /// Opens the file and appends to it; makes the file if it does not exist.
  init(path: String) throws(SystemError) {
    self.path = path
    do throws(Errno) {
      file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
    } catch {
      throw SystemError(error, path)
    }
  }

  func write(_ changes: [VirtualBoard.PartChange]) throws(SystemError) {
    for change in changes {
      let part = change.state.part
      let level = change.state.isOn ? 1 : 0
      do throws(Errno) {
        try file.writeAll(
          Array("\(change.nanoseconds) \(part.kind) \(part.name) \(level)\n".utf8))
      } catch {
        throw SystemError(error, path)
      }
    }
  }
}
