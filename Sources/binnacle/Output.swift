import BinnacleBasics
import BinnaclePosix
import BinnacleText
import Glibc

/// Standard output and standard error, written at once; false if standard output is closed.
enum Output {
  /// PIPE_BUF (pipe(7)).
  private static let pieceMax = 4_096

  /// Prints lines; at a terminal lines that are too wide are folded at blanks, except JSON and remedies.
  static func print(_ text: String) -> Bool {
    write(Array((folded(PlainText.lines(text), columns: columns) + "\n").utf8))
  }

  /// The columns of the terminal that is standard output; nil: it is no terminal, or a terminal that reports no size.
  static var columns: Int? { isTerminal ? columns(of: STDOUT_FILENO) : nil }

  /// Prints a line about a change that was made, at a terminal; a script has the exit status.
  static func confirm(_ text: String) -> Bool {
    isTerminal ? print(text) : true
  }

  /// Whether standard output is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  private static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    let columns = Int(Terminal(borrowing: descriptor).window.columns)
    return columns > 0 ? columns : nil
  }

  private static func folded(_ text: String, columns: Int?) -> String {
    guard let columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      isKeptWhole(line) || line.count <= columns
        ? [String(line)]
        : FoldedLine.pieces(
          String(line), hang: line.prefix { $0 == " " }.count, columns: columns)
    }.joined(separator: "\n")
  }

  /// Whether a line is for a program or a shell: JSON, or the remedy of a finding, which may be a command to copy.
  private static func isKeptWhole(_ line: Substring) -> Bool {
    line.hasPrefix("{") || line.hasPrefix("  mend: ")
  }

  /// Writes to the operator at the terminal on standard error.
  static func speak(_ text: String) {
    let plain = PlainText.lines(text)
    let bytes = Array(folded(plain, columns: columns(of: STDERR_FILENO)).utf8)
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
        // The reader has left on purpose.
        if Errno.current != .brokenPipe {
          complain("the output cannot be written: \(Errno.current)")
        }
        return false
      }
    }
    return true
  }
}
