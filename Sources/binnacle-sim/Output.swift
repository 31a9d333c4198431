import BinnacleBasics
import BinnaclePosix
import Glibc

/// The program's two voices; a line is out when the call is.
enum Output {
  /// Writes a line.
  ///
  /// - Parameter text: the line, without its end.
  /// - Throws: what the system answered. A reader who has gone is no error: there is nobody left to tell.
  static func say(_ text: String) throws(SystemError) {
    let descriptor = FileDescriptor(owning: STDOUT_FILENO)
    var failure: Errno?
    do throws(Errno) {
      try descriptor.writeAll(Array((PlainText.lines(text) + "\n").utf8))
    } catch {
      failure = error
    }
    // Standard output is not ours to close.
    _ = descriptor.release()
    guard let failure, failure != .brokenPipe else { return }
    throw SystemError(failure, "standard output")
  }

  static func complain(_ text: String) {
    let line = Array((PlainText.lines(text) + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Says what is wrong and ends the program.
  static func fail(_ text: String, _ status: ExitStatus) -> Never {
    complain("binnacle-sim: \(text)")
    status.exit()
  }
}
