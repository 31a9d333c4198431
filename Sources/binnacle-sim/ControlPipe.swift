import BinnaclePosix
import Glibc

/// A FIFO into which an operator writes orders, one per line.
final class ControlPipe {
  private let file: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  private var unread: [UInt8] = []

  /// A longer line without an end is dropped.
  private static let lineBytesMax = 4_096

  init(_ path: String) throws(SystemError) {
    do {
      // A FIFO that is opened for reading and writing always has a writer and never ends.
      file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    } catch {
      throw SystemError(error, path)
    }
  }

  /// The descriptor to poll for reading.
  var descriptor: Int32 { file.number }

  /// Takes the complete lines that have arrived.
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
