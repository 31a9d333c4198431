internal import Glibc

/// The standard error of the process.
enum StandardError {
  /// Writes a line.
  static func write(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // A failure is ignored, because there is no place left to report it.
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
