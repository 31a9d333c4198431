import BinnacleBasics

/// The rate limit of new connections per user.
///
/// A user has a burst of connections and then one per interval. A door closes further connections
/// at once, before it spends time on their peers, so that a program that connects in a loop costs
/// little.
struct ConnectionPace {
  /// The number of connections that a user may make at once after a pause.
  static let burst: Int64 = 64
  /// The time after which a user may make one more connection.
  static let interval = Interval.milliseconds(20)
  /// The number of users with an account of their own; further users share one account.
  static let accountsMax = 64

  private static let tolerance = interval * (burst - 1)

  /// The verdict on a connection.
  enum Verdict: Equatable {
    case admitted
    /// The user connects too often; `isFirst`: the user's connection before this one was admitted.
    case refused(isFirst: Bool)
  }

  private struct Account {
    /// nil: the account that further users share.
    let userID: UInt32?
    /// The time at which all connections so far would have come at one per interval.
    var free: Instant
    var isRefusing = false
  }

  private var accounts: [Account] = []

  /// Counts a connection of a user if the user may connect now.
  mutating func verdict(on userID: UInt32, at now: Instant) -> Verdict {
    let index = account(of: userID, at: now)
    let (free, isRefusing) = (accounts[index].free, accounts[index].isRefusing)
    guard free - ConnectionPace.tolerance <= now else {
      accounts[index].isRefusing = true
      return .refused(isFirst: !isRefusing)
    }
    accounts[index].free = max(free, now) + ConnectionPace.interval
    accounts[index].isRefusing = false
    return .admitted
  }

  private mutating func account(of userID: UInt32, at now: Instant) -> Int {
    if let index = accounts.firstIndex(where: { $0.userID == userID }) { return index }
    if accounts.count >= ConnectionPace.accountsMax { accounts.removeAll { $0.free <= now } }
    let hasRoom = accounts.count < ConnectionPace.accountsMax
    if !hasRoom, let shared = accounts.firstIndex(where: { $0.userID == nil }) { return shared }
    accounts.append(Account(userID: hasRoom ? userID : nil, free: now))
    return accounts.count - 1
  }
}
