/// The properties of a request.
public struct RequestTraits: Equatable, Sendable {
  /// The clients that may make a request.
  public enum Permission: Sendable {
    case everyClient
    /// Users that may operate: a trace contains each position, and a report lists the served clients.
    case operators
    /// Users that may accept a loss of state: root, and the user of a daemon of its own.
    case accepters
  }

  /// The first byte of its message.
  let type: RequestType
  /// The first version of the protocol with the request.
  let versionMin: UInt16
  public let permission: Permission
  /// The cost of the answer, in costly requests of the user's pace; nil for a cheap answer.
  public let cost: Int64?
  /// When a console may make the request.
  public let console: ConsolePermission
  /// Whether the request changes something; a request without changes is a query.
  let isChange: Bool
  /// Whether the number of the request is from the separate numbers of requests about defaults.
  let isAboutDefaults: Bool
  /// Whether `answered` may answer a query, because the daemon may have no data.
  let mayBeRefused: Bool
  /// Whether the request is answered again at each change, until the connection ends.
  let isWatch: Bool

  /// Without a permission for consoles, no console may make the request.
  init(
    _ type: RequestType, since versionMin: UInt16, _ permission: Permission, cost: Int64? = 1,
    console: ConsolePermission = .no, isChange: Bool = false, isAboutDefaults: Bool = false,
    mayBeRefused: Bool = false, isWatch: Bool = false
  ) {
    self.type = type
    self.versionMin = versionMin
    self.permission = permission
    self.cost = cost
    self.console = console
    self.isChange = isChange
    self.isAboutDefaults = isAboutDefaults
    self.mayBeRefused = mayBeRefused
    self.isWatch = isWatch
  }
}
