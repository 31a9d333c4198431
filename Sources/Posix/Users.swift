import CBinnaclePosix

/// The users of this machine.
public enum Users {
  /// The number of a user; nil when no user has this name.
  ///
  /// The corresponding C function is `getpwnam_r`.
  public static func number(of name: String) -> UInt32? {
    UInt32(exactly: cposix_user_number(name))
  }

  /// The number of a user of this machine's own list; nil when no user in it has this name.
  ///
  /// The system users that packages make are in this list. The search asks no other program, as a search in the whole database
  /// may.
  ///
  /// The corresponding C function is `fgetpwent_r`.
  public static func localNumber(of name: String, path: String = "/etc/passwd") -> UInt32? {
    UInt32(exactly: cposix_local_user_number(path, name))
  }

  /// The number of a group; nil when there is no group of this name.
  ///
  /// The corresponding C function is `getgrnam_r`.
  public static func groupNumber(of name: String) -> UInt32? {
    UInt32(exactly: cposix_group_number(name))
  }

  /// A user of the user database.
  public struct Entry: Equatable, Sendable {
    public let userID: UInt32
    public let groupID: UInt32
    public let name: String
    public let home: String
    public let shell: String

    /// All groups of the user, the user's own group included.
    ///
    /// The corresponding C function is `getgrouplist`.
    public var groups: [UInt32] {
      get throws(Errno) {
        // As many as Linux allows (NGROUPS_MAX).
        var groups = [UInt32](repeating: 0, count: 65_536)
        let count = try Errno.check {
          cposix_user_groups(name, groupID, &groups, groups.count)
        }
        return Array(groups.prefix(count))
      }
    }
  }

  /// The entry of a user by name or by number; nil when there is none.
  ///
  /// The corresponding C functions are `getpwnam_r` and `getpwuid_r`.
  public static func entry(of user: String) -> Entry? {
    var found = cposix_user()
    var text = [CChar](repeating: 0, count: 16_384)
    return text.withUnsafeMutableBufferPointer { text in
      let answer =
        if let number = UInt32(user) {
          cposix_user_entry(nil, number, &found, text.baseAddress, text.count)
        } else {
          cposix_user_entry(user, 0, &found, text.baseAddress, text.count)
        }
      guard answer == 0, let name = found.name, let home = found.home, let shell = found.shell
      else { return nil }
      return Entry(
        userID: found.user, groupID: found.group, name: String(cString: name),
        home: String(cString: home), shell: String(cString: shell))
    }
  }

  /// Whether this process may become other users: it has CAP_SETUID and CAP_SETGID.
  public static var mayChange: Bool { cposix_may_change_user() == 1 }
}
