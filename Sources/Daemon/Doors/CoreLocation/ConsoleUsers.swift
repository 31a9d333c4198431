import BinnaclePosix

/// The user of consoles on serial lines, whose connections only look until they are unlocked.
struct ConsoleUsers: Sendable {
  /// The user of the unit `binnacle-console@`.
  static let userName = "binnacle-console"

  private let userID: @Sendable () -> UInt32?

  /// - Parameter userID: the number of the user; asked at each connection, because a user may be made after the daemon's start.
  init(userID: @escaping @Sendable () -> UInt32? = { Users.localNumber(of: ConsoleUsers.userName) })
  {
    self.userID = userID
  }

  func contain(_ userID: UInt32) -> Bool { self.userID() == userID }
}
