import BinnacleModel
import BinnacleWire

/// The cost and the required permission of a request.
struct RequestPolicy: Equatable {
  /// The clients that may make a request.
  enum Permission: Equatable {
    case everyClient
    /// Users that may operate: a trace contains each position, and a report lists the served clients.
    case operators
    /// Users that may accept a loss of state; see ``Operators/mayAcceptLoss(_:)``.
    case accepters
  }

  /// The cost of the answer, in requests of ``CostlyRequestPace``; nil for a cheap answer.
  let cost: Int64?
  let permission: Permission
  /// When a console may make the request.
  let console: ConsolePermission

  /// Without a permission for consoles, no console may make the request.
  init(cost: Int64?, _ permission: Permission, console: ConsolePermission = .no) {
    self.cost = cost
    self.permission = permission
    self.console = console
  }
}

/// When a console on a serial line may make a request: the fence behind the column `console` of the command table.
enum ConsolePermission: Equatable {
  /// Always: the request is about the console itself, or the engine judges what it shows.
  case always
  /// The request shows something: `View` decides.
  case view
  /// The request shows positions or satellites: `View` and `Privacy` decide.
  case position
  /// While the console is unlocked.
  case unlocked
  /// Never: the request is an app's, or reads or writes files.
  case no
}

extension ClientRequest {
  /// A trace and the whole state are encoded and sent at once, so they cost more.
  var policy: RequestPolicy {
    switch self {
    case .status: RequestPolicy(cost: 1, .operators, console: .view)
    case .trace: RequestPolicy(cost: 8, .operators)
    case .setServices: RequestPolicy(cost: 1, .operators, console: .unlocked)
    case .openDefaults: RequestPolicy(cost: 1, .everyClient)
    case .setDefaults: RequestPolicy(cost: nil, .everyClient)
    case .state(.read): RequestPolicy(cost: 8, .operators)
    case .state(.erase): RequestPolicy(cost: 1, .operators, console: .unlocked)
    case .state(.writes): RequestPolicy(cost: 1, .operators, console: .view)
    case .state(.accept): RequestPolicy(cost: 1, .accepters)
    // The engine checks the permission for satellites, as for locations.
    case .sky: RequestPolicy(cost: 1, .everyClient, console: .position)
    case .log: RequestPolicy(cost: 4, .operators, console: .view)
    // Every user can read the files that the settings come from.
    case .settings: RequestPolicy(cost: 1, .everyClient, console: .view)
    // The engine limits the users that may not operate to their own apps.
    case .consent(let request): RequestPolicy(cost: 1, .everyClient, console: request.console)
    // The engine judges PINs. Only a console has rights to lift.
    case .console: RequestPolicy(cost: 1, .everyClient, console: .always)
    // The history lists all apps and the movements of a person.
    case .day: RequestPolicy(cost: 8, .operators, console: .view)
    }
  }
}

extension ConsentRequest {
  fileprivate var console: ConsolePermission {
    switch self {
    case .apps, .grants, .prompts, .who, .audit, .why: .view
    // The list is empty while the console may not look.
    case .watchPrompts: .always
    // Lines of apps may contain anything.
    case .output: .unlocked
    case .allow, .deny, .reset, .foreground, .background, .home, .start, .quit: .unlocked
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
    switch request?.policy.permission {
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
    case .requested(_, let request): request.policy.console
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
