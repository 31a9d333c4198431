import BinnaclePosix
import Glibc
import Gzip

/// Bytes of a file or of standard input, decompressed when they are gzip.
struct RecordingInput: ~Copyable {
  /// The recording cannot be opened or read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  private let source: FileDescriptor
  private let name: String
  private var chunk: [UInt8]

  /// Opens a recording.
  ///
  /// - Parameter path: `-` is standard input.
  /// - Throws: the system's error.
  init(_ path: String) throws(Unreadable) {
    source = try RecordingInput.open(path)
    name = path
    chunk = [UInt8](repeating: 0, count: 65_536)
  }

  private static func open(_ path: String) throws(Unreadable) -> FileDescriptor {
    if path == "-" { return FileDescriptor(owning: STDIN_FILENO) }
    do throws(Errno) {
      return try FileDescriptor.open(path, O_RDONLY | O_NOCTTY)
    } catch {
      throw Unreadable(description: SystemError(error, path).description)
    }
  }

  /// Delivers all bytes in pieces; returns the error in the bytes, if any.
  ///
  /// The bytes before the error have been delivered.
  ///
  /// - Throws: the system's error.
  mutating func readAll(_ body: ([UInt8]) throws -> Void) throws -> String? {
    var head: [UInt8] = []
    while head.count < GzipDecoder.magic.count, let more = try next() { head += more }
    guard head.starts(with: GzipDecoder.magic) else {
      if !head.isEmpty { try body(head) }
      while let bytes = try next() { try body(bytes) }
      return nil
    }
    guard var decoder = GzipDecoder() else {
      throw Unreadable(description: "\(name): there is no memory to decompress it")
    }
    var bytes: [UInt8]? = head
    while let compressed = bytes {
      var plain: [UInt8] = []
      do throws(GzipDecoder.Damage) {
        try decoder.decode(compressed, into: &plain)
      } catch {
        if !plain.isEmpty { try body(plain) }
        return "its compression is damaged"
      }
      if !plain.isEmpty { try body(plain) }
      bytes = try next()
    }
    return decoder.isWhole ? nil : "its compression ends in the middle"
  }

  private mutating func next() throws -> [UInt8]? {
    do throws(Errno) {
      guard let count = try source.read(into: &chunk), count > 0 else { return nil }
      return Array(chunk[..<count])
    } catch {
      let subject = name == "-" ? "standard input" : name
      throw Unreadable(description: SystemError(error, subject).description)
    }
  }
}
