import Glibc
import Posix

/// Standard output, written at once; false when nobody can take it.
enum Output {
  static func print(_ line: String) -> Bool {
    write(Array((line + "\n").utf8))
  }

  static func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
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
