import BinnacleModel
import BinnacleWire

/// The cost and the required permission of a request.
struct RequestPolicy: Equatable {
  /// The clients that may make a request.
  enum Permission: Equatable {
    case everyClient
    /// Users that may operate: a trace contains each position, and a report lists the served clients.
    case operators
    /// Root only, because a program may have taken over the daemon's own user.
    case root
  }

  /// The cost of the answer, in requests of ``CostlyRequestPace``; nil for a cheap answer.
  let cost: Int64?
  let permission: Permission

  init(cost: Int64?, _ permission: Permission) {
    self.cost = cost
    self.permission = permission
  }
}

extension ClientRequest {
  /// A trace and the whole state are encoded and sent at once, so they cost more.
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
    // The engine checks the permission for satellites, as for locations.
    case .sky: RequestPolicy(cost: 1, .everyClient)
    case .log: RequestPolicy(cost: 4, .operators)
    // Every user can read the files that the settings come from.
    case .settings: RequestPolicy(cost: 1, .everyClient)
    // The engine limits the users that may not operate to their own apps.
    case .consent: RequestPolicy(cost: 1, .everyClient)
    // The history lists all apps and the movements of a person.
    case .day: RequestPolicy(cost: 8, .operators)
    }
  }
}

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
  var cost: Int64? { request?.policy.cost }

  /// Whether the request is a query: a client that has disconnected gets no answer.
  var isQuestion: Bool { request.map { !$0.isChange } ?? false }

  /// The reason why a peer may not make this request; nil if the request is permitted.
  func refusal(for peer: Peer) -> ServerMessage.Refusal? {
    switch request?.policy.permission {
    case nil, .everyClient: nil
    case .operators where peer.mayOperate: nil
    case .operators:
      ServerMessage.Refusal(
        .notPermitted,
        "only root, the daemon's own user and members of its group may do this")
    case .root where peer.userID == 0: nil
    case .root: ServerMessage.Refusal(.notPermitted, "only root may accept what is lost")
    }
  }
}
