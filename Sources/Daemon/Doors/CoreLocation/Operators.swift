import BinnaclePosix

/// The users that may operate the daemon: root, the daemon's own user, and members of one group.
struct Operators: Sendable {
  /// The group whose members may operate; the installed service runs as the user of this name.
  static let groupName = "binnacle"

  private let userIDs: [UInt32]
  private let groupID: @Sendable () -> UInt32?

  /// - Parameters:
  ///   - userIDs: users that may operate.
  ///   - groupID: the number of the group; asked at each connection, because a group may be made after the daemon's start.
  init(
    userIDs: [UInt32] = [0, Environment.userID],
    groupID: @escaping @Sendable () -> UInt32? = { Users.groupNumber(of: Operators.groupName) }
  ) {
    self.userIDs = userIDs
    self.groupID = groupID
  }

  /// Whether a user may operate, by its number or by its groups.
  func contain(_ userID: UInt32, isMember: (_ groupID: UInt32) -> Bool) -> Bool {
    userIDs.contains(userID) || groupID().map(isMember) == true
  }
}
