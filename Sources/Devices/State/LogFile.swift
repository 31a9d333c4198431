public import BinnaclePosix
import Glibc
public import StateLog

/// A file or a partition with a state log.
///
/// Its length never changes. The first flush also drops the kernel's cached pages of the file. A restarted program
/// therefore reads the content of the disk and not pages that a failed write has left in the cache.
public struct LogFile: BlockFile, Sendable {
  /// Closes the file when the last copy of this value is released.
  private final class Handle: Sendable {
    let file: FileDescriptor
    /// Whether the log is a file in a file system.
    let isFile: Bool

    init(_ file: consuming FileDescriptor) {
      var status = stat()
      isFile = fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      self.file = file
    }
  }

  public let byteCount: Int
  /// Whether the log is a file in a file system, and not a partition.
  public var isRegularFile: Bool { handle.isFile }
  private let handle: Handle
  private var hasFlushed = false

  /// Opens an existing file.
  ///
  /// - Parameters:
  ///   - path: the path; a symbolic link is followed only to a device.
  ///   - isForReading: whether the file is opened for reading only.
  /// - Throws: the system error; `invalidArgument` if the path is neither a file nor a block device.
  public init(path: String, isForReading: Bool = false) throws(Errno) {
    // Opening a pipe must not block, and a terminal must not become the controlling terminal.
    var flags = (isForReading ? O_RDONLY : O_RDWR) | O_NOCTTY | O_NONBLOCK
    if StatePartition.isNamed(by: path) {
      // For a device this flag excludes mounted devices and devices that another program has opened exclusively
      // (open(2)).
      if !isForReading { flags |= O_EXCL }
    } else {
      flags |= O_NOFOLLOW
    }
    let file = try FileDescriptor.open(path, flags)
    byteCount = try LogFile.size(of: file)
    handle = Handle(file)
  }

  /// Creates a new file of zeros, which are on the disk when this method returns.
  ///
  /// - Parameters:
  ///   - path: the path of the new file.
  ///   - geometry: the layout of the log.
  /// - Returns: the file.
  /// - Throws: the reason why the file was not created; a partly written file is useless.
  public static func make(_ path: String, geometry: LogGeometry) throws(BlockFault) -> LogFile {
    try make(path, byteCount: geometry.byteCount)
  }

  /// Creates a new file of this number of zeros; see ``make(_:geometry:)``.
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

  /// Whether the path still leads to this file.
  ///
  /// The next program does not find data that is written to a file without a name, or with another name only, such as a
  /// backup.
  public func isNamed(_ path: String) -> Bool {
    var own = stat()
    var named = stat()
    guard fstat(handle.file.number, &own) == 0, own.st_nlink > 0, lstat(path, &named) == 0 else {
      return false
    }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Whether the file has a name in any directory; true if that is unknown.
  public var hasName: Bool {
    var status = stat()
    return fstat(handle.file.number, &status) != 0 || status.st_nlink > 0
  }

  /// Whether the file has no bytes any more; see ``releaseSpace()``.
  public var isEmpty: Bool {
    var status = stat()
    return handle.isFile && fstat(handle.file.number, &status) == 0 && status.st_size == 0
  }

  /// Frees the space of a file without a name; such a file keeps its space as long as it is open.
  ///
  /// No program can open the bytes again, and a power cut loses them in any case. Later reads fail.
  ///
  /// - Returns: whether space was freed. A file that has a name stays unchanged.
  @discardableResult
  public func releaseSpace() -> Bool {
    var status = stat()
    guard handle.isFile, fstat(handle.file.number, &status) == 0, status.st_nlink == 0,
      status.st_size > 0
    else { return false }
    return ftruncate(handle.file.number, 0) == 0
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
      // The file was truncated while it was open.
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
      // The call is advice only; a file system without such a cache refuses it.
      if !hasFlushed { posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED) }
      hasFlushed = true
    }
    while fdatasync(number) != 0 {
      if errno == EINTR { continue }
      throw LogFile.fault(.current)
    }
    if isReadOnly { throw .readOnly }
  }

  /// Whether the file system was made read-only while the file was open.
  ///
  /// The kernel makes a file system read-only after an error, or by force, even with open files. ext4 then caches
  /// writes, reports success for a flush, and writes nothing (seen with Linux 7.2).
  private var isReadOnly: Bool {
    guard handle.isFile else { return false }
    var status = statvfs()
    return fstatvfs(handle.file.number, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }

  /// Overwrites the whole file with zeros.
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

  /// The log's fault for a system error.
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
