public import BinnaclePosix
import Glibc
public import StateLog

/// A file, or a partition, that a log of state lives in.
///
/// Its length never changes. The first flush also forgets what the kernel has cached of it, so that a program which
/// was killed and started again reads what is on the disk: pages that a failed write has left behind are not.
public struct LogFile: BlockFile, Sendable {
  /// The file is closed when the last copy of this value is gone.
  private final class Handle: Sendable {
    let file: FileDescriptor
    /// Whether it is on a file system.
    let isFile: Bool

    init(_ file: consuming FileDescriptor) {
      var status = stat()
      isFile = fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      self.file = file
    }
  }

  public let byteCount: Int
  private let handle: Handle
  private var hasFlushed = false

  /// Opens a file that is there.
  ///
  /// - Parameters:
  ///   - path: where it is; a symbolic link is not followed unless it leads to a device.
  ///   - isForReading: whether nothing is to be written.
  /// - Throws: the error of the system; `invalidArgument` when the path is neither a file nor a block device.
  public init(path: String, isForReading: Bool = false) throws(Errno) {
    // A pipe in its place must not hold up the start, and a terminal must not become ours.
    var flags = (isForReading ? O_RDONLY : O_RDWR) | O_NOCTTY | O_NONBLOCK
    if StatePartition.isNamed(by: path) {
      // Of a device this keeps off what is mounted or somebody else's in the same way (open(2)).
      if !isForReading { flags |= O_EXCL }
    } else {
      flags |= O_NOFOLLOW
    }
    let file = try FileDescriptor.open(path, flags)
    byteCount = try LogFile.size(of: file)
    handle = Handle(file)
  }

  /// Makes a file that is not there yet, of zeros that are on the disk when this returns.
  ///
  /// - Parameters:
  ///   - path: where it is to be.
  ///   - geometry: the log's size.
  /// - Returns: the file.
  /// - Throws: why the file was not made; a partly made file is useless.
  public static func make(_ path: String, geometry: LogGeometry) throws(BlockFault) -> LogFile {
    try make(path, byteCount: geometry.byteCount)
  }

  /// Makes a file of so many zeros that is not there yet; see ``make(_:geometry:)``.
  public static func make(_ path: String, byteCount: Int) throws(BlockFault) -> LogFile {
    let handle: Handle
    do throws(Errno) {
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      handle = Handle(try FileDescriptor.open(path, flags, mode: 0o600))
      // The permissions do not depend on the process's umask.
      if fchmod(handle.file.number, 0o600) != 0 { throw .current }
    } catch {
      throw LogFile.fault(error)
    }
    var file = LogFile(handle, byteCount: byteCount)
    try file.overwrite()
    return file
  }

  private init(_ handle: Handle, byteCount: Int) {
    self.handle = handle
    self.byteCount = byteCount
  }

  /// Whether the file still has a name, and something is at the path; what is written to a file without a name is gone with
  /// the program.
  public func isNamed(_ path: String) -> Bool {
    var status = stat()
    guard fstat(handle.file.number, &status) == 0, status.st_nlink > 0 else { return false }
    return lstat(path, &status) == 0
  }

  public mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    guard count >= 0, offset >= 0, offset + count <= byteCount else { throw .inputOutput }
    var bytes = [UInt8](repeating: 0, count: count)
    let number = handle.file.number
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(number, $0.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw LogFile.fault(.current) }
      // It was cut off while it was open.
      if got == 0 { throw .inputOutput }
      done += got
    }
    return bytes
  }

  public mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    guard offset >= 0, offset + bytes.count <= byteCount else { throw .noSpace }
    let number = handle.file.number
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes {
        pwrite(number, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
      }
      if put < 0, errno == EINTR { continue }
      if put < 0 { throw LogFile.fault(.current) }
      if put == 0 { throw .noSpace }
      done += put
    }
  }

  public mutating func flush() throws(BlockFault) {
    let number = handle.file.number
    defer {
      // Advice only; a file system that has no such cache refuses it.
      if !hasFlushed { posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED) }
      hasFlushed = true
    }
    while fdatasync(number) != 0 {
      if errno == EINTR { continue }
      throw LogFile.fault(.current)
    }
    if isReadOnly { throw .readOnly }
  }

  /// Whether the file system has been made read-only while the file was open.
  ///
  /// After an error, or by force, that happens without regard to open files. ext4 then takes what is written into the cache,
  /// answers a flush with success, and writes nothing (seen with Linux 7.2).
  private var isReadOnly: Bool {
    guard handle.isFile else { return false }
    var status = statvfs()
    return fstatvfs(handle.file.number, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }

  /// Writes zeros over all of it.
  public mutating func overwrite() throws(BlockFault) {
    let piece = [UInt8](repeating: 0, count: 65_536)
    var offset = 0
    while offset < byteCount {
      let size = min(piece.count, byteCount - offset)
      try write(size == piece.count ? piece : Array(piece.prefix(size)), at: offset)
      offset += size
    }
    try flush()
  }

  /// The words of a log for an error of the system.
  public static func fault(_ error: Errno) -> BlockFault {
    switch error.code {
    case ENOSPC, EDQUOT: .noSpace
    case EIO: .inputOutput
    case EROFS, EACCES, EPERM: .readOnly
    default: .other(error.code)
    }
  }

  private static func size(of file: borrowing FileDescriptor) throws(Errno) -> Int {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw .current }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFBLK:
      let end = lseek(file.number, 0, SEEK_END)
      guard end >= 0 else { throw .current }
      return Int(end)
    case S_IFDIR: throw .isADirectory
    default: throw .invalidArgument
    }
  }
}
