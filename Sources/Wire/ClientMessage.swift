public import BinnacleModel

/// What a client says to the daemon; one message is one packet of the socket.
public enum ClientMessage: Equatable, Sendable {
  /// The first message of a connection.
  case hello(Hello)
  /// Opens a sequence of live updates; its service starts with this message.
  case openUpdates(SequenceID, LiveConfiguration)
  /// Ends a sequence; nothing more is sent for it.
  case closeUpdates(SequenceID)
  /// Makes a request; the number comes back with the answer.
  case request(UInt32, ClientRequest)

  /// The first version of the protocol that has this message.
  public var versionMin: UInt16 {
    switch self {
    case .hello, .openUpdates, .closeUpdates: 1
    case .request(_, let request): request.traits.versionMin
    }
  }

  public struct Hello: Equatable, Sendable {
    /// The protocol versions that the client speaks.
    public var versionMin: UInt16
    public var versionMax: UInt16
    /// The program's name, for `status` and the log; at most 64 bytes of it are kept.
    public var program: String

    public init(versionMin: UInt16, versionMax: UInt16, program: String) {
      self.versionMin = versionMin
      self.versionMax = versionMax
      self.program = program
    }
  }
}
