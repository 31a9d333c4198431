import BinnaclePosix

/// The users that may operate the daemon: root, the daemon's own user, and members of one group.
struct Operators: Sendable {
  /// The group whose members may operate; the installed service runs as the user of this name.
  static let groupName = "binnacle"

  private let userIDs: [UInt32]
  /// The user of a daemon that serves this user alone; nil: the daemon serves every user.
  private let ownerID: UInt32?
  private let groupID: @Sendable () -> UInt32?

  /// - Parameters:
  ///   - userIDs: users that may operate.
  ///   - ownerID: the user of a daemon that serves this user alone; nil: the daemon serves every user.
  ///   - groupID: the number of the group; asked at each connection, because a group may be made after the daemon's start.
  init(
    userIDs: [UInt32] = [0, Environment.userID], ownerID: UInt32? = nil,
    groupID: @escaping @Sendable () -> UInt32? = { Users.groupNumber(of: Operators.groupName) }
  ) {
    self.userIDs = userIDs
    self.ownerID = ownerID
    self.groupID = groupID
  }

  /// Whether a user may accept a loss of state.
  ///
  /// At a service only root may: a program that has taken over the service's user could otherwise hide the loss of a
  /// denial.
  func mayAcceptLoss(_ userID: UInt32) -> Bool { userID == 0 || userID == ownerID }

  /// Whether a user may operate by its number: root and the daemon's own user.
  func containNumber(_ userID: UInt32) -> Bool { userIDs.contains(userID) }

  /// The number of the group; nil if there is none.
  var currentGroup: UInt32? { groupID() }

  /// Whether a user may operate, by its number or by its groups.
  func contain(_ userID: UInt32, isMember: (_ groupID: UInt32) -> Bool) -> Bool {
    containNumber(userID) || currentGroup.map(isMember) == true
  }
}
