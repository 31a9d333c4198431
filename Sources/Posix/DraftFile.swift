import Glibc

/// A file that is written piece by piece and gets its name when it is whole.
///
/// A reader never finds a part of it: until ``commit()`` the content is in a file beside it, which disappears if the
/// writer gives up. A device, a pipe or a socket of this name is written to directly, because it cannot be replaced.
public final class DraftFile {
  private let path: String
  /// The present name of the content; nil if it is written to its place.
  private var draft: String?
  private var file: FileDescriptor?

  /// - Parameters:
  ///   - path: the name of the file.
  ///   - mode: the permissions; by default only the owner may read the file.
  /// - Throws: the system's error with the path.
  public init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
    self.path = path
    let kind = (try? Files.status(of: path))?.kind
    do throws(Errno) {
      switch kind {
      case .directory: throw .isADirectory
      case nil, .file, .symbolicLink:
        let draft = path + ".new"
        unlink(draft)
        self.draft = draft
        file = try FileDescriptor.open(draft, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      case .some:
        draft = nil
        file = try FileDescriptor.open(path, O_WRONLY | O_NOCTTY)
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
      _ = try Errno.check { rename(draft, path) }
      self.draft = nil
    } catch {
      throw SystemError(error, path)
    }
  }

  deinit {
    if let draft { unlink(draft) }
  }
}
