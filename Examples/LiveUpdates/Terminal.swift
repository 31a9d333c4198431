import CoreLocation

/// Lines that appear at once, even when the output is a pipe.
enum Terminal {
  static func say(_ line: String) {
    write(line, to: .standardOutput)
  }

  static func complain(_ line: String) {
    write(line, to: .standardError)
  }

  private static func write(_ line: String, to file: FileHandle) {
    // If the write fails, the reader has gone.
    try? file.write(contentsOf: Data((line + "\n").utf8))
  }
}
