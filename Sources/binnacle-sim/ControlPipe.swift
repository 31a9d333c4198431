import BinnaclePosix
import Glibc

/// A FIFO into which somebody writes orders, one a line.
final class ControlPipe {
  private let file: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var unread: [UInt8] = []

  /// A line that does not end is dropped at this length.
  private static let lineBytesMax = 4_096

  init(_ path: String) throws(SystemError) {
    do {
      // Opened for both, a FIFO always has a writer and never ends.
      file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    } catch {
      throw SystemError(error, path)
    }
  }

  /// What to poll for reading.
  var descriptor: Int32 { file.number }

  /// The lines that have come.
  func lines() -> [String] {
    guard let count = try? file.read(into: &buffer), count > 0 else { return [] }
    unread += buffer[..<count]
    var lines: [String] = []
    while let end = unread.firstIndex(of: 0x0A) {
      lines.append(String(decoding: unread[..<end], as: UTF8.self))
      unread.removeFirst(end + 1)
    }
    if unread.count > ControlPipe.lineBytesMax { unread = [] }
    return lines
  }
}
