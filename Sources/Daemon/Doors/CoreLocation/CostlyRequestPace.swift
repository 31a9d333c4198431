import BinnacleBasics

/// The rate limit of costly requests per user.
///
/// A user has a burst of requests and then one request per interval. Faster requests wait, and they delay only clients
/// of the same user.
struct CostlyRequestPace {
  /// The number of requests that a user may make at once after a pause.
  static let burst: Int64 = 16
  /// The time after which a user may make one more request.
  static let interval = Interval.milliseconds(50)

  /// Per user, the time at which all requests so far would be complete at one request per interval.
  private var accounts: [(userID: UInt32, free: Instant)] = []

  /// Counts a request if its turn has come.
  mutating func admits(_ cost: Int64, of userID: UInt32, at now: Instant) -> Bool {
    guard turn(of: cost, of: userID) <= now else { return false }
    let free = max(self.free(userID), now) + CostlyRequestPace.interval * cost
    accounts.removeAll { $0.userID == userID || $0.free <= now }
    accounts.append((userID, free))
    return true
  }

  /// The time at which the next request of this cost may be answered; the time may be in the past.
  func turn(of cost: Int64, of userID: UInt32) -> Instant {
    free(userID) + CostlyRequestPace.interval * (cost - CostlyRequestPace.burst)
  }

  private func free(_ userID: UInt32) -> Instant {
    accounts.first { $0.userID == userID }?.free ?? .zero
  }
}
