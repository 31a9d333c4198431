import BinnacleModel
import BinnacleWire

/// The rules of the daemon for a request: its permission and its cost.
extension ServerConnectionMachine.Request {
  private var request: ClientRequest? {
    switch self {
    case .connected, .opened, .closed, .sessionOpened, .sessionClosed, .authorizationWatched,
      .buttonsWatched, .phaseWatched:
      nil
    case .requested(_, let request): request
    }
  }

  /// The cost of the answer, in requests of ``CostlyRequestPace``; nil for a cheap answer.
  var cost: Int64? { request?.traits.cost }

  /// Whether the request is a query: a client that has disconnected gets no answer.
  var isQuestion: Bool { request.map { !$0.isChange } ?? false }

  /// The reason why a client may not make this request; nil if the request is permitted.
  ///
  /// - Parameters:
  ///   - peer: the peer of the client.
  ///   - console: the rights of the console that the client belongs to; nil: it belongs to none.
  ///   - operators: the users that may operate.
  /// - Returns: the refusal; nil if the request is permitted.
  func refusal(
    for peer: Peer, _ console: ConsoleAccess? = nil, operators: Operators
  ) -> ServerMessage.Refusal? {
    if let console { return console.refusal(of: consolePermission, isLasting: isLasting) }
    switch request?.traits.permission {
    case nil, .everyClient: return nil
    case .operators where peer.mayOperate: return nil
    case .operators:
      return ServerMessage.Refusal(
        .notPermitted,
        "only root, the daemon's own user and members of its group may do this")
    case .accepters where operators.mayAcceptLoss(peer.userID): return nil
    case .accepters:
      return ServerMessage.Refusal(
        .notPermitted, "only root may accept a loss of state: sudo binnacle state accept")
    }
  }

  /// The message that refuses this request.
  func refused(_ refusal: ServerMessage.Refusal) -> ServerMessage {
    if case .opened(let sequence, _, _) = self { return .updatesEnded(sequence, refusal) }
    return .refused(refusal, isFinal: false)
  }

  /// The request without a PIN, as the engine and its recorder get it.
  var withoutSecret: Self {
    if case .requested(let number, .console(.unlock)) = self {
      return .requested(number, .console(.unlock(Secret())))
    }
    return self
  }

  private var consolePermission: ConsolePermission {
    switch self {
    case .connected, .closed: .always
    case .opened: .position
    case .sessionOpened, .sessionClosed, .authorizationWatched, .buttonsWatched, .phaseWatched: .no
    case .requested(_, let request): request.traits.console
    }
  }

  /// Whether the answer goes on until the connection ends.
  private var isLasting: Bool {
    switch self {
    case .opened, .requested(_, .log(_, isFollowed: true)): true
    case .connected, .closed, .sessionOpened, .sessionClosed, .authorizationWatched,
      .buttonsWatched, .phaseWatched, .requested:
      false
    }
  }
}
