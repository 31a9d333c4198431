import Glibc

/// The user whose rights the process uses.
public enum EffectiveUser {
  /// Enters a directory and goes on with the rights of its owner only.
  ///
  /// For a command that root runs in a directory of an ordinary user: symbolic links in the directory then lead only to
  /// files that its owner may access. Relative paths then start in the directory. The call changes the whole process and
  /// is for programs with one thread.
  ///
  /// - Parameter path: the directory.
  /// - Throws: the error of the system.
  ///
  /// The corresponding C functions are `fchdir`, `setgroups`, `setegid` and `seteuid`.
  public static func enterAsOwner(_ path: String) throws(SystemError) {
    do throws(Errno) {
      let directory = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
      let status = try directory.status()
      let number = directory.number
      _ = try Errno.check { fchdir(number) }
      guard geteuid() == 0, status.userID != 0 else { return }
      _ = try Errno.check { setgroups(0, nil) }
      _ = try Errno.check { setegid(status.groupID) }
      _ = try Errno.check { seteuid(status.userID) }
    } catch {
      throw SystemError(error, path)
    }
  }
}
