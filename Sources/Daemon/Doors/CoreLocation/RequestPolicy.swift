import BinnacleModel
import BinnacleWire

/// The cost of a request and the permission that it takes: one row for each request.
struct RequestPolicy: Equatable {
  /// The clients that may make a request.
  enum Permission: Equatable {
    case everyClient
    /// Root and the daemon's own user: a trace holds every position, and a report says which clients are served.
    case operators
    /// Root alone, since a program may have taken over the daemon's own user.
    case root
  }

  /// The cost of the answer, in requests of ``CostlyRequestPace``; nil when it costs little.
  let cost: Int64?
  let permission: Permission

  init(cost: Int64?, _ permission: Permission) {
    self.cost = cost
    self.permission = permission
  }
}

extension ClientRequest {
  /// A trace and the whole state are encoded and sent as a whole, so they cost more.
  var policy: RequestPolicy {
    switch self {
    case .status: RequestPolicy(cost: 1, .operators)
    case .trace: RequestPolicy(cost: 8, .operators)
    case .setServices: RequestPolicy(cost: 1, .operators)
    case .openDefaults: RequestPolicy(cost: 1, .everyClient)
    case .setDefaults: RequestPolicy(cost: nil, .everyClient)
    case .state(.read): RequestPolicy(cost: 8, .operators)
    case .state(.erase): RequestPolicy(cost: 1, .operators)
    case .state(.writes): RequestPolicy(cost: 1, .operators)
    case .state(.accept): RequestPolicy(cost: 1, .root)
    // The engine judges a request for satellites, as all that is a location.
    case .sky: RequestPolicy(cost: 1, .everyClient)
    }
  }
}

extension ServerConnectionMachine.Request {
  private var request: ClientRequest? {
    switch self {
    case .connected, .opened, .closed: nil
    case .requested(_, let request): request
    }
  }

  /// The cost of the answer, in requests of the pace; nil when it costs little.
  var cost: Int64? { request?.policy.cost }

  /// Whether the client only asks: a client that has gone gets no answer.
  var isQuestion: Bool { request.map { !$0.isChange } ?? false }

  /// Why a peer may not make this request; nil when it may.
  func refusal(for peer: Peer, isOperator: Bool) -> ServerMessage.Refusal? {
    switch request?.policy.permission {
    case nil, .everyClient: nil
    case .operators where isOperator: nil
    case .operators:
      ServerMessage.Refusal(
        .notPermitted,
        "only root and the daemon's own user may look inside or change anything")
    case .root where peer.userID == 0: nil
    case .root: ServerMessage.Refusal(.notPermitted, "only root may accept what is lost")
    }
  }
}
