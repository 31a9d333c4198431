import Glibc
import Posix

/// Standard output, written at once; false when nobody can take it.
enum Output {
  /// PIPE_BUF (pipe(7)).
  private static let pieceMax = 4_096

  static func print(_ line: String) -> Bool {
    write(Array((line + "\n").utf8))
  }

  /// Writes in pieces that a pipe takes at once, so that a reader who stopped reading leaves the program open to signals.
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
