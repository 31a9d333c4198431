/// One connection of a client to the daemon; numbers are given out in order and never used again.
public struct ClientID: Hashable, Comparable, Codable, Sendable {
  public let number: UInt32

  public init(number: UInt32) {
    self.number = number
  }

  public static func < (left: ClientID, right: ClientID) -> Bool { left.number < right.number }
}

/// One sequence of updates of one client; the client chooses the number and uses it once.
public struct SequenceID: Hashable, Comparable, Codable, Sendable {
  public let number: UInt32

  public init(number: UInt32) {
    self.number = number
  }

  public static func < (left: SequenceID, right: SequenceID) -> Bool { left.number < right.number }
}

/// Who is at the other end of a local socket, as the kernel says.
public struct Peer: Equatable, Codable, Sendable {
  public var userID: UInt32
  public var processID: Int32
  /// Which app it is, as the daemon found out.
  public var app: AppID

  /// Without an app it could not be found out which one it is.
  public init(userID: UInt32, processID: Int32, app: AppID? = nil) {
    self.userID = userID
    self.processID = processID
    self.app = app ?? .unresolved(userID: userID)
  }
}
