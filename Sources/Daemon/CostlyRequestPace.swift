import BinnacleBasics
import BinnacleWire

/// How often the clients of each user may ask for what costs the daemon much time.
///
/// A user has a burst of requests and then one request per interval. What comes faster waits, and only clients of that
/// user wait.
struct CostlyRequestPace {
  /// The number of requests that a user may make at once after a pause.
  static let burst: Int64 = 16
  /// The time after which a user may ask for one thing more.
  static let interval = Interval.milliseconds(50)

  /// When a user would have paid for all requests, if each took its interval.
  private var accounts: [(userID: UInt32, free: Instant)] = []

  /// Takes a request into account if its turn has come.
  mutating func admits(_ cost: Int64, of userID: UInt32, at now: Instant) -> Bool {
    guard turn(of: cost, of: userID) <= now else { return false }
    let free = max(self.free(userID), now) + CostlyRequestPace.interval * cost
    accounts.removeAll { $0.userID == userID || $0.free <= now }
    accounts.append((userID, free))
    return true
  }

  /// When the next request of this cost may be answered; it may be in the past.
  func turn(of cost: Int64, of userID: UInt32) -> Instant {
    free(userID) + CostlyRequestPace.interval * (cost - CostlyRequestPace.burst)
  }

  private func free(_ userID: UInt32) -> Instant {
    accounts.first { $0.userID == userID }?.free ?? .zero
  }
}

extension ServerConnectionMachine.Request {
  /// The cost of an answer, in requests of the pace; nil when it costs little.
  ///
  /// A trace and the whole state are encoded and sent as a whole.
  var cost: Int64? {
    switch self {
    case .connected, .opened, .closed, .requested(_, .setDefaults): nil
    case .requested(_, .status), .requested(_, .setServices), .requested(_, .openDefaults),
      .requested(_, .state(.erase)),
      .requested(_, .state(.accept)), .requested(_, .state(.writes)), .requested(_, .sky):
      1
    case .requested(_, .trace), .requested(_, .state(.read)): 8
    }
  }

  /// Whether it only asks: for a client that has gone it is not answered.
  var isQuestion: Bool {
    switch self {
    case .connected, .opened, .closed, .requested(_, .setDefaults), .requested(_, .setServices),
      .requested(_, .state(.erase)),
      .requested(_, .state(.accept)):
      false
    case .requested(_, .status), .requested(_, .trace), .requested(_, .openDefaults),
      .requested(_, .state(.read)),
      .requested(_, .state(.writes)), .requested(_, .sky):
      true
    }
  }
}
