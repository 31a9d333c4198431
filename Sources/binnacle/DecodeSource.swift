import BinnaclePosix
import Glibc
import Gzip

/// A file or standard input that is read to its end.
struct DecodeSource: ~Copyable {
  private static let chunkSize = 262_144

  private let file: FileDescriptor
  /// Whether bytes may arrive slowly, so that results are shown before the next read.
  let isLive: Bool

  /// Opens a file by name, or standard input without a name.
  init(_ path: String?) throws(DecodeFailure) {
    do throws(Errno) {
      file = try DecodeSource.open(path)
    } catch {
      throw .input(error)
    }
    isLive = DecodeSource.isLive(file)
  }

  // These functions are separate from the initializer: the optimizer of Swift 6.0.3 fails if an owned value is created
  // and read in the same function.

  private static func isLive(_ file: borrowing FileDescriptor) -> Bool {
    var status = stat()
    return fstat(file.number, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  private static func open(_ path: String?) throws(Errno) -> FileDescriptor {
    if let path { return try FileDescriptor.open(path, O_RDONLY | O_NOCTTY) }
    // The copy is closed at the end, so standard input stays open.
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .current }
    return FileDescriptor(owning: copy)
  }

  /// Passes on all bytes as they arrive; gzip is decompressed.
  ///
  /// - Parameter body: takes some bytes.
  /// - Throws: the system error, or the reason why the content cannot be read.
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

  /// The first bytes, enough to identify a compression format; fewer if the file is shorter.
  private borrowing func readHead(_ chunk: inout [UInt8]) throws(DecodeFailure) -> [UInt8] {
    var head: [UInt8] = []
    while head.count < Compression.magicLengthMax {
      let count = try read(into: &chunk)
      if count == 0 { break }
      head += chunk[..<count]
    }
    return head
  }

  /// Reads the available bytes, and waits for at least one byte.
  ///
  /// - Returns: the number of bytes; 0 at the end.
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
