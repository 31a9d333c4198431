import CBinnaclePosix

/// The users of this machine.
public enum Users {
  /// The number of a user; nil when no user has this name.
  ///
  /// The corresponding C function is `getpwnam_r`.
  public static func number(of name: String) -> UInt32? {
    UInt32(exactly: cposix_user_number(name))
  }

  /// The number of a group; nil when there is no group of this name.
  ///
  /// The corresponding C function is `getgrnam_r`.
  public static func groupNumber(of name: String) -> UInt32? {
    UInt32(exactly: cposix_group_number(name))
  }
}
