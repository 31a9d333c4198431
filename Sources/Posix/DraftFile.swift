import Glibc

/// A file that is written piece by piece and gets its name when it is whole.
///
/// A reader never finds a part of it: until ``commit()`` the content is in a file beside it, which disappears if the
/// writer gives up. A device, a pipe or a socket of this name is written to directly, because it cannot be replaced. At
/// a symbolic link the file that the link leads to is replaced, and the link stays.
public final class DraftFile {
  private let path: String
  /// The name that the content gets.
  private let place: String
  /// The present name of the content; nil if it is written to its place.
  private var draft: String?
  private var file: FileDescriptor?

  /// - Parameters:
  ///   - path: the name of the file.
  ///   - mode: the permissions; by default only the owner may read the file.
  /// - Throws: the system's error with the path.
  public init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
    self.path = path
    let kind = try DraftFile.kind(of: path)
    place = try DraftFile.place(of: path)
    do throws(Errno) {
      switch kind {
      case .directory: throw .isADirectory
      // The file behind an open descriptor, such as /dev/fd/3, may have no name any more.
      case .file where !Files.exists(place): file = try DraftFile.direct(path)
      case nil, .file, .symbolicLink:
        let (draft, file) = try DraftFile.make(beside: place, mode: mode)
        self.draft = draft
        self.file = FileDescriptor(owning: file)
      case .some: file = try DraftFile.direct(path)
      }
    } catch {
      throw SystemError(error, path)
    }
  }

  public func write(_ bytes: [UInt8]) throws(SystemError) {
    do throws(Errno) {
      try file?.writeAll(bytes)
    } catch {
      throw SystemError(error, path)
    }
  }

  /// The content is whole: it is put on the disk and gets its name.
  public func commit() throws(SystemError) {
    do throws(Errno) {
      guard let draft else { return file = nil }
      try file?.synchronize()
      file = nil
      _ = try Errno.check { rename(draft, place) }
      self.draft = nil
    } catch {
      throw SystemError(error, path)
    }
    // The file is there in any case: a directory that cannot be read cannot be flushed.
    try? Files.synchronizeNames(in: Files.parent(of: place))
  }

  deinit {
    if let draft { unlink(draft) }
  }

  private static func direct(_ path: String) throws(Errno) -> FileDescriptor {
    try FileDescriptor.open(path, O_WRONLY | O_NOCTTY)
  }

  // MARK: Names

  /// The number of names that are tried for the content; a name in use belongs to another file.
  private static let namesMax = 1_000
  /// The most links in a row, as for the kernel (path_resolution(7)).
  private static let linksMax = 40

  /// The kind of the file that a path leads to; nil if there is none.
  static func kind(of path: String) throws(SystemError) -> Files.Kind? {
    do throws(SystemError) {
      return try Files.status(of: path).kind
    } catch {
      if error.errno == .noSuchFile { return nil }
      throw error
    }
  }

  /// The name at the end of the symbolic links of a path; the path itself if it is no link.
  ///
  /// - Throws: `accessDenied` for a link of a user other than root and the process's own: a command of root would replace
  ///   any file that this user names.
  static func place(of path: String) throws(SystemError) -> String {
    var place = path
    for _ in 0...linksMax {
      guard let link = try? Files.status(of: place, followingLinks: false),
        link.kind == .symbolicLink
      else { return place }
      let above = Files.parent(of: place)
      guard link.userID == Environment.userID || link.userID == 0 else {
        throw SystemError(.accessDenied, path)
      }
      let target = try Files.linkTarget(place)
      place = target.hasPrefix("/") ? target : "\(above)/\(target)"
    }
    throw SystemError(.tooManyLinks, path)
  }

  /// Makes a file beside another one, under a name that does not exist yet.
  ///
  /// - Returns: the name and the descriptor of the new file.
  static func make(
    beside place: String, mode: UInt32
  ) throws(Errno) -> (name: String, descriptor: Int32) {
    var descriptor: Int32 = -1
    let name = try DraftFile.name(beside: place) { name throws(Errno) in
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
      descriptor = try Errno.check { open(name, flags, mode) }
    }
    return (name, descriptor)
  }

  /// Finds a name beside another one that does not exist yet, so that no other file is lost.
  ///
  /// - Parameters:
  ///   - place: the path of the other file.
  ///   - make: makes the file; throws `fileExists` if there is one of the name.
  /// - Returns: the path of the new file.
  /// - Throws: the error of `make`.
  static func name(
    beside place: String, make: (String) throws(Errno) -> Void
  ) throws(Errno) -> String {
    for number in 0..<namesMax {
      let name = number == 0 ? "\(place).new" : "\(place).new.\(number)"
      do throws(Errno) {
        try make(name)
        return name
      } catch {
        guard error == .fileExists else { throw error }
      }
    }
    throw .fileExists
  }
}
