import BinnaclePosix
import Glibc
import Gzip

/// A file or standard input that is read to its end.
struct DecodeSource: ~Copyable {
  private static let chunkSize = 262_144

  private let file: FileDescriptor
  /// Bytes may come slowly, so that what is known is shown before more is waited for.
  let isLive: Bool

  /// Opens a file by name, standard input without one.
  init(_ path: String?) throws(DecodeFailure) {
    do throws(Errno) {
      file = try DecodeSource.open(path)
    } catch {
      throw .input(error)
    }
    isLive = DecodeSource.isLive(file)
  }

  // Kept apart from the initializer: an owner that is made and looked into in one place is more than the
  // optimizer of Swift 6.0.3 can take.

  private static func isLive(_ file: borrowing FileDescriptor) -> Bool {
    var status = stat()
    return fstat(file.number, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  private static func open(_ path: String?) throws(Errno) -> FileDescriptor {
    if let path { return try FileDescriptor.open(path, O_RDONLY | O_NOCTTY) }
    // A copy of its own, since it is closed at the end.
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .current }
    return FileDescriptor(owning: copy)
  }

  /// Gives all bytes as they come, decompressed where they are gzip.
  ///
  /// - Parameter body: takes some bytes.
  /// - Throws: what the system answered, or why the content cannot be read.
  borrowing func readAll(
    _ body: (UnsafeRawBufferPointer) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var chunk = [UInt8](repeating: 0, count: DecodeSource.chunkSize)
    let head = try readHead(&chunk)
    switch Compression(head: head) {
    case .gzip?: return try inflateAll(head, &chunk, body)
    case let other?: throw .compressed(other)
    case nil: break
    }
    try DecodeSource.give(head, count: head.count, body)
    while true {
      let count = try read(into: &chunk)
      if count == 0 { return }
      try DecodeSource.give(chunk, count: count, body)
    }
  }

  private borrowing func inflateAll(
    _ head: [UInt8], _ chunk: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    guard var decoder = GzipDecoder() else { throw .input(.current) }
    var compressed = head
    while !compressed.isEmpty {
      var plain: [UInt8] = []
      var isDamaged = false
      do throws(GzipDecoder.Damage) {
        try decoder.decode(compressed, into: &plain)
      } catch {
        isDamaged = true
      }
      try DecodeSource.give(plain, count: plain.count, body)
      if isDamaged { throw .damaged("its compression is damaged; what came before is decoded") }
      let count = try read(into: &chunk)
      compressed = Array(chunk[..<count])
    }
    if !decoder.isWhole {
      throw .damaged("its compression ends in the middle; what came before is decoded")
    }
  }

  private static func give(
    _ bytes: [UInt8], count: Int,
    _ body: (UnsafeRawBufferPointer) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    if count == 0 { return }
    do {
      try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } catch let failure as DecodeFailure {
      throw failure
    } catch {
      preconditionFailure("the body throws failures of decoding alone")
    }
  }

  /// The first bytes, enough to tell how they are compressed; fewer when there are no more.
  private borrowing func readHead(_ chunk: inout [UInt8]) throws(DecodeFailure) -> [UInt8] {
    var head: [UInt8] = []
    while head.count < Compression.magicLengthMax {
      let count = try read(into: &chunk)
      if count == 0 { break }
      head += chunk[..<count]
    }
    return head
  }

  /// Reads what is there, waiting for at least a byte.
  ///
  /// - Returns: how many bytes were read; 0 at the end.
  private borrowing func read(into buffer: inout [UInt8]) throws(DecodeFailure) -> Int {
    while true {
      do throws(Errno) {
        if let count = try file.read(into: &buffer) { return count }
      } catch {
        throw .input(error)
      }
      var wanted = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
      poll(&wanted, 1, -1)
    }
  }
}
