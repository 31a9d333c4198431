import Glibc
import Posix

/// The program's two voices; a line is out when the call is.
enum Output {
  static func say(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// Says what is wrong and ends the program.
  static func fail(_ text: String, _ status: ExitStatus) -> Never {
    complain("binnacle-sim: \(text)")
    status.exit()
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      // Whoever read has gone: there is nobody left to tell.
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
