import BinnacleBasics
import BinnaclePosix
import Glibc

/// Standard output and standard error of the program; a call returns after its line is written.
enum Output {
  /// Writes a line.
  ///
  /// - Parameter text: the line, without its line feed.
  /// - Throws: the system's error. A closed pipe is no error, because no reader is left.
  static func say(_ text: String) throws(SystemError) {
    let descriptor = FileDescriptor(owning: STDOUT_FILENO)
    var failure: Errno?
    do throws(Errno) {
      try descriptor.writeAll(Array((PlainText.lines(text) + "\n").utf8))
    } catch {
      failure = error
    }
    // Standard output must stay open.
    _ = descriptor.release()
    guard let failure, failure != .brokenPipe else { return }
    throw SystemError(failure, "standard output")
  }

  static func complain(_ text: String) {
    let line = Array((PlainText.lines(text) + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Prints an error and ends the program.
  static func fail(_ text: String, _ status: ExitStatus) -> Never {
    complain("binnacle-sim: \(text)")
    status.exit()
  }
}
