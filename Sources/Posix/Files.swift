import CBinnaclePosix
import Glibc

/// Files and directories, whole and by name.
public enum Files {
  /// The type of a file.
  public enum Kind: Equatable, Sendable {
    case file
    case directory
    case symbolicLink
    case socket
    case pipe
    case characterDevice
    case other

    /// The kind with its article, for a sentence.
    public var inWords: String {
      switch self {
      case .file: "a regular file"
      case .directory: "a directory"
      case .symbolicLink: "a symbolic link"
      case .socket: "a socket"
      case .pipe: "a pipe"
      case .characterDevice, .other: "a device"
      }
    }
  }

  /// The metadata of a file.
  public struct Status: Equatable, Sendable {
    public let kind: Kind
    public let userID: UInt32
    public let groupID: UInt32
    /// How many names the file has.
    public let linkCount: UInt64
    /// The permission bits, such as `0o700`.
    public let mode: UInt32
    public let size: Int64
    /// The number of the device that a device file stands for.
    public let device: UInt64
    /// The number of the file system that the file is on.
    public let fileSystem: UInt64

    init(_ status: stat) {
      kind = Files.kind(ofMode: status.st_mode)
      userID = status.st_uid
      groupID = status.st_gid
      linkCount = UInt64(status.st_nlink)
      mode = status.st_mode & 0o7777
      size = Int64(status.st_size)
      device = UInt64(status.st_rdev)
      fileSystem = UInt64(status.st_dev)
    }

    // How the C library packs a device's two numbers into one (makedev(3)).
    public var deviceMajor: UInt32 {
      UInt32(truncatingIfNeeded: (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF)
    }
    public var deviceMinor: UInt32 {
      UInt32(truncatingIfNeeded: device & 0xFF | (device >> 12) & ~0xFF)
    }
  }

  /// Reads a regular file to its end.
  ///
  /// A pipe or a device in the place of a file is refused, because reading it may block forever.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - sizeMax: a longer file is an error (EFBIG), so that a wrong name cannot fill the memory.
  ///   - acceptsPipes: whether a pipe is accepted, for input that a person names.
  /// - Returns: its bytes.
  /// - Throws: the error of the system; `invalidArgument` when the path is not a regular file.
  public static func read(
    _ path: String, sizeMax: Int = 1 << 20, acceptsPipes: Bool = false
  ) throws(SystemError) -> [UInt8] {
    var kind = Kind.file
    do throws(Errno) {
      let flags = acceptsPipes ? O_RDONLY | O_NOCTTY : O_RDONLY | O_NOCTTY | O_NONBLOCK
      let file = try FileDescriptor.open(path, flags)
      kind = try file.status().kind
      guard kind == .file || (acceptsPipes && kind == .pipe) else { throw .invalidArgument }
      var whole: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = try file.read(into: &chunk) ?? 0, count > 0 {
        whole.append(contentsOf: chunk[..<count])
        if whole.count > sizeMax { throw .fileTooLarge }
      }
      return whole
    } catch {
      if kind == .file { throw SystemError(error, path) }
      throw SystemError(
        kind == .directory ? .isADirectory : error,
        description: "\(path): it is \(kind.inWords), not a regular file")
    }
  }

  /// Replaces a file atomically: readers, and a power cut, find either the old or the new content.
  ///
  /// Written beside it, put on the disk, given its name, and the name put on the disk too. On an error the old
  /// file is as it was. At a symbolic link the file that the link leads to is replaced.
  ///
  /// - Parameters:
  ///   - bytes: the whole content.
  ///   - path: the file.
  ///   - mode: the permissions; by default only the owner may read the file.
  /// - Throws: the system's error with the path; `invalidArgument` for a device, a pipe or a socket, which is not
  ///   replaced: ``DraftFile`` writes to it.
  public static func writeAtomically(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(SystemError) {
    switch try DraftFile.kind(of: path) {
    case nil, .file?, .symbolicLink?: break
    case .directory?: throw SystemError(.isADirectory, path)
    case let kind?:
      throw SystemError(
        .invalidArgument, description: "\(path): it is \(kind.inWords), not a regular file")
    }
    let place = try DraftFile.place(of: path)
    do throws(Errno) {
      try replace(place, by: bytes, mode: mode)
      let directory = try FileDescriptor.open(parent(of: place), O_RDONLY | O_DIRECTORY)
      try directory.synchronize()
    } catch {
      throw SystemError(error, path)
    }
  }

  private static func replace(
    _ place: String, by bytes: [UInt8], mode: UInt32
  ) throws(Errno) {
    // A power cut may have left the draft of an earlier write. Drafts must not accumulate over years.
    unlink(place + ".new")
    let made = try DraftFile.make(beside: place, mode: mode)
    do throws(Errno) {
      do {
        let file = FileDescriptor(owning: made.descriptor)
        try file.writeAll(bytes)
        try file.synchronize()
      }
      _ = try Errno.check { Glibc.rename(made.name, place) }
    } catch {
      unlink(made.name)
      throw error
    }
  }

  /// Makes a directory that is there afterwards; its parents must exist unless they are made too.
  ///
  /// - Parameters:
  ///   - path: the path of the new file.
  ///   - mode: the permissions of the new file, regardless of the process's umask.
  ///   - withParents: whether missing parents are made as well.
  /// - Throws: the error of the system.
  ///
  /// The corresponding C function is `mkdir`.
  public static func makeDirectory(
    _ path: String, mode: UInt32, withParents: Bool = false
  ) throws(SystemError) {
    if withParents, case let above = parent(of: path), above != path, !exists(above) {
      try makeDirectory(above, mode: mode, withParents: true)
    }
    do {
      _ = try Errno.check { mkdir(path, mode) }
      // Through a descriptor: the name may lead elsewhere by now.
      let made = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      try made.setMode(mode)
    } catch {
      guard error == .fileExists || error == .notADirectory else { throw SystemError(error, path) }
      if (try? status(of: path))?.kind == .directory { return }
      var obstacle = path
      while !exists(obstacle), case let above = parent(of: obstacle), above != obstacle {
        obstacle = above
      }
      throw SystemError(
        .notADirectory,
        description:
          "\(obstacle): something that is not a directory is in its place, move that away")
    }
  }

  /// Makes a private directory: it belongs to this user, and other users cannot write to it.
  public static func makePrivateDirectory(
    _ path: String, mode: UInt32 = 0o700, withParents: Bool = false
  ) throws(SystemError) {
    try makeDirectory(path, mode: mode, withParents: withParents)
    let status = try status(of: path, followingLinks: false)
    guard status.kind == .directory, status.userID == Environment.userID, status.mode & 0o022 == 0
    else {
      throw SystemError(
        .notPermitted,
        description: "\(path): it must be a directory of user \(Environment.userID) that no "
          + "other user can write to")
    }
  }

  /// Whether there is something of this name.
  public static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// The metadata of a file.
  ///
  /// The corresponding C functions are `stat` and `lstat`.
  public static func status(
    of path: String, followingLinks: Bool = true
  ) throws(SystemError) -> Status {
    var status = stat()
    do {
      _ = try Errno.check { followingLinks ? stat(path, &status) : lstat(path, &status) }
    } catch {
      throw SystemError(error, path)
    }
    return Status(status)
  }

  /// The names in a directory, sorted, without `.` and `..`.
  ///
  /// The corresponding C function is `readdir`.
  public static func list(_ path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw SystemError(.current, path) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Where a path leads when all symbolic links are followed.
  ///
  /// The corresponding C function is `realpath`.
  public static func resolve(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemError(.current, path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The target of a symbolic link, one step.
  ///
  /// - Throws: the error of the system; `illegalByteSequence` if the target is not UTF-8: a repaired text would name another
  ///   file, and would be up to three times as long.
  ///
  /// The corresponding C function is `readlink`.
  public static func linkTarget(_ path: String) throws(SystemError) -> String {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    do throws(Errno) {
      // One byte is left for the zero that the kernel does not write.
      let count = try Errno.check { readlink(path, &text, text.count - 1) }
      let bytes = text[..<count].map { UInt8(bitPattern: $0) }
      guard let target = String(validating: bytes, as: UTF8.self) else {
        throw .illegalByteSequence
      }
      return target
    } catch {
      throw SystemError(error, path)
    }
  }

  /// Makes a symbolic link; an existing symbolic link is replaced.
  ///
  /// The corresponding C function is `symlink`.
  public static func makeLink(_ path: String, to target: String) throws(SystemError) {
    do throws(Errno) {
      let present = try? status(of: path, followingLinks: false)
      if let present, present.kind != .symbolicLink { throw .fileExists }
      let left = path + ".new"
      // A power cut may have left the link of an earlier call.
      if (try? status(of: left, followingLinks: false))?.kind == .symbolicLink { unlink(left) }
      let draft = try DraftFile.name(beside: path) { name throws(Errno) in
        _ = try Errno.check { symlink(target, name) }
      }
      do throws(Errno) {
        _ = try Errno.check { Glibc.rename(draft, path) }
      } catch {
        unlink(draft)
        throw error
      }
    } catch {
      throw SystemError(error, path)
    }
  }

  /// Renames a file, replaces a file of the new name, and flushes the directory to the disk.
  ///
  /// The corresponding C function is `rename`.
  public static func rename(_ path: String, to other: String) throws(SystemError) {
    do throws(Errno) {
      _ = try Errno.check { Glibc.rename(path, other) }
    } catch {
      throw SystemError(error, path)
    }
    try synchronizeNames(in: parent(of: other))
  }

  /// Removes all rights of the group and of other users on a file or directory.
  ///
  /// - Returns: whether there was something to take.
  /// - Throws: the error of the system; `tooManyLinks` for a symbolic link.
  ///
  /// The corresponding C function is `fchmod`.
  @discardableResult
  public static func restrictMode(_ path: String) throws(SystemError) -> Bool {
    do throws(Errno) {
      let file = try FileDescriptor.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW)
      let present = try file.status()
      guard present.mode & 0o077 != 0 else { return false }
      try file.setMode(present.mode & 0o7700)
      return true
    } catch {
      throw SystemError(error, path)
    }
  }

  /// Lets a group use a file or a device, with these rights.
  ///
  /// - Throws: what the system answered; `notPermitted` when this process may not give files to the group.
  ///
  /// The corresponding C functions are `chown` and `chmod`.
  public static func share(_ path: String, groupID: UInt32?, mode: UInt32) throws(SystemError) {
    do throws(Errno) {
      if let groupID { _ = try Errno.check { chown(path, .max, groupID) } }
      _ = try Errno.check { chmod(path, mode) }
    } catch {
      throw SystemError(error, path)
    }
  }

  /// Gives a file a second name, which must be free.
  ///
  /// The corresponding C function is `link`.
  public static func link(_ other: String, of path: String) throws(SystemError) {
    do throws(Errno) {
      _ = try Errno.check { Glibc.link(path, other) }
    } catch {
      throw SystemError(error, other)
    }
  }

  /// Puts the names in a directory on the disk.
  static func synchronizeNames(in directory: String) throws(SystemError) {
    do throws(Errno) {
      let directory = try FileDescriptor.open(directory, O_RDONLY | O_DIRECTORY)
      try directory.synchronize()
    } catch {
      throw SystemError(error, directory)
    }
  }

  /// Removes a file, a link or a socket, if the path exists.
  ///
  /// The corresponding C function is `unlink`.
  public static func remove(_ path: String) throws(SystemError) {
    do {
      _ = try Errno.check { unlink(path) }
    } catch {
      if error != .noSuchFile { throw SystemError(error, path) }
    }
  }

  /// The directory that a path is in.
  public static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func kind(ofMode mode: UInt32) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    case S_IFSOCK: .socket
    case S_IFIFO: .pipe
    case S_IFCHR: .characterDevice
    default: .other
    }
  }
}
