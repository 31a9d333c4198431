public import BinnacleModel

/// What a client says to the daemon; one message is one packet of the socket.
public enum ClientMessage: Equatable, Sendable {
  /// The first message of a connection.
  case hello(Hello)
  /// Opens a sequence of live updates; its service starts with this message.
  case openUpdates(SequenceID, LiveConfiguration)
  /// Ends a sequence; nothing more is sent for it.
  case closeUpdates(SequenceID)
  /// Asks for the daemon's report; the number comes back with the answer.
  case requestStatus(request: UInt32)
  /// Asks for the flight recorder's contents.
  case requestTrace(request: UInt32)
  /// Turns location services on or off for the whole board; the number comes back with the answer.
  case setServices(request: UInt32, isOn: Bool)
  /// Asks for all that the client's app keeps, and to be told from then on what other clients of it change.
  case openDefaults(request: UInt32)
  /// A piece of a change of what the app keeps; with the last piece all are kept at once, or none.
  case setDefaults(request: UInt32, isLast: Bool, [DefaultsEntry])
  /// Asks for what is kept, to have some of it erased, or what was written; the number comes back with the answer.
  case state(request: UInt32, StateWish)

  /// The first version of the protocol that has this message.
  public var versionMin: UInt16 {
    switch self {
    case .hello, .openUpdates, .closeUpdates, .requestStatus, .requestTrace: 1
    case .setServices, .openDefaults, .setDefaults, .state(_, .read), .state(_, .erase),
      .state(_, .writes):
      2
    case .state(_, .accept): 3
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
