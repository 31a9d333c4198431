/// The number of a client's connection to the daemon; numbers increase and are never used again.
public struct ClientID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  public let number: UInt32

  /// The identifier in a transcript.
  public var description: String { "client \(number)" }

  public init(number: UInt32) {
    self.number = number
  }

  public static func < (left: ClientID, right: ClientID) -> Bool { left.number < right.number }
}

/// The number of a client's sequence of updates; the client chooses the number and uses it once.
public struct SequenceID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  public let number: UInt32

  /// The identifier in a transcript.
  public var description: String { "sequence \(number)" }

  public init(number: UInt32) {
    self.number = number
  }

  public static func < (left: SequenceID, right: SequenceID) -> Bool { left.number < right.number }
}

/// The number of a client's session object; the client chooses the number and uses it once.
public struct SessionID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  public let number: UInt32

  /// The identifier in a transcript.
  public var description: String { "session \(number)" }

  public init(number: UInt32) {
    self.number = number
  }

  public static func < (left: SessionID, right: SessionID) -> Bool { left.number < right.number }
}

/// The peer of a local socket, as the kernel reports it.
public struct Peer: Equatable, Codable, Sendable {
  public var userID: UInt32
  public var processID: Int32
  /// The app of the peer, as identified by the daemon.
  public var app: AppID
  /// Whether the process has a controlling terminal.
  public var hasTerminal: Bool
  /// The file of the program; nil if it is unknown.
  public var file: ProgramFile?
  /// Whether the user of the peer may change the rights of all apps: root, the daemon's own user, and members of its group.
  public var mayOperate: Bool
  /// Whether the peer is a tool of an operator, which gets locations without the answer of a person.
  public var isOperator: Bool
  /// Whether the process belongs to an app that the launcher runs.
  public var isLaunched: Bool
  /// Whether the peer is a script that names its app: the user alone is the proof.
  public var isScript: Bool
  /// The rights of a client of a console; nil: the client belongs to no console.
  public var console: ConsoleStanding?

  /// Whether the peer is a script that the launcher has not started, so that the daemon cannot start it again.
  public var isUnlaunchedScript: Bool { isScript && !isLaunched }

  /// Whether the peer gets lists that have only the apps of its user.
  public var seesOwnAppsOnly: Bool { !mayOperate && console == nil }

  /// Without an app argument, the app is `unresolved`.
  public init(
    userID: UInt32, processID: Int32, app: AppID? = nil, hasTerminal: Bool = false,
    file: ProgramFile? = nil, mayOperate: Bool = false, isOperator: Bool = false,
    isLaunched: Bool = false, isScript: Bool = false, console: ConsoleStanding? = nil
  ) {
    self.userID = userID
    self.processID = processID
    self.app = app ?? .unresolved(userID: userID)
    self.hasTerminal = hasTerminal
    self.file = file
    self.mayOperate = mayOperate
    self.isOperator = isOperator
    self.isLaunched = isLaunched
    self.isScript = isScript
    self.console = console
  }
}
