import BinnacleBasics
import BinnaclePosix
import Glibc

/// Standard output and standard error, written at once; false if standard output is closed.
enum Output {
  /// PIPE_BUF (pipe(7)).
  private static let pieceMax = 4_096

  static func print(_ text: String) -> Bool {
    write(Array((PlainText.lines(text) + "\n").utf8))
  }

  /// Writes to the operator at the terminal on standard error.
  static func speak(_ text: String) {
    let bytes = Array(PlainText.lines(text).utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Writes in pieces that a pipe takes at once.
  ///
  /// Signals can then end the program even if the reader has stopped reading.
  static func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard Signals.waitForRoom(in: STDOUT_FILENO) else { return false }
      let count = rest.prefix(pieceMax).withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if Errno.current != .interrupted {
        complain("the output cannot be written: \(Errno.current)")
        return false
      }
    }
    return true
  }
}
