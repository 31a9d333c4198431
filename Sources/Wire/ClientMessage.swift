public import BinnacleModel

/// A message from a client to the daemon; each message is one packet of the socket.
public enum ClientMessage: Equatable, Sendable {
  /// The first message of a connection.
  case hello(Hello)
  /// Opens a sequence of live updates; the service starts with this message.
  case openUpdates(SequenceID, LiveConfiguration)
  /// Opens a sequence of live updates with reduced accuracy, by the app's own wish.
  case openReducedUpdates(SequenceID, LiveConfiguration)
  /// Opens a sequence of live updates to search for one present location.
  case openSearch(SequenceID, isReduced: Bool)
  /// Ends a sequence; the daemon sends no further message for it.
  case closeUpdates(SequenceID)
  /// Makes a session object.
  case openSession(SessionID, AppSession)
  /// Invalidates a session object; the daemon sends no further diagnostic for it.
  case closeSession(SessionID)
  /// Asks for the authorization of the app, now and at each change.
  case watchAuthorization
  /// Asks for the presses of buttons with the action `mark`, while the app is in the foreground.
  case watchButtons
  /// Asks for the phase of the app, now and at each change.
  case watchPhase
  /// Makes a request; the answer has the same number.
  case request(UInt32, ClientRequest)

  /// The first version of the protocol with this message.
  public var versionMin: UInt16 {
    switch self {
    case .hello, .openUpdates, .closeUpdates: 1
    case .openSession(_, let session): session.versionMin
    case .closeSession, .watchAuthorization: 6
    case .openReducedUpdates, .watchButtons: 7
    case .watchPhase: 8
    case .openSearch: 12
    case .request(_, let request): request.traits.versionMin
    }
  }

  public struct Hello: Equatable, Sendable {
    /// The lowest protocol version that the client supports; `versionMax` is the highest.
    public var versionMin: UInt16
    public var versionMax: UInt16
    /// The program's name for `status` and the log; the daemon keeps at most 64 bytes of it.
    public var program: String
    /// The role that the client asks for.
    public var role: ClientRole

    public init(
      versionMin: UInt16, versionMax: UInt16, program: String, role: ClientRole = .app
    ) {
      self.versionMin = versionMin
      self.versionMax = versionMax
      self.program = program
      self.role = role
    }
  }
}
