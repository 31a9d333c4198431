import BinnacleBasics

/// The rate limits of new connections: per user, and for all users together.
///
/// A user has a burst of connections and then one per interval. A door closes further connections
/// at once, before it spends time on their peers, so that a program that connects in a loop costs
/// little. A user with subordinate user numbers connects as many users, so all users together have
/// a limit, too. A crowd of users must not keep out an app or an operator, so a user that a manifest
/// names and a member of the operators' group have only the limit of this user, and an account of
/// its own.
struct ConnectionPace {
  /// The number of connections that a user may make at once after a pause.
  static let burst: Int64 = 64
  /// The time after which a user may make one more connection.
  static let interval = Interval.milliseconds(20)
  /// The number of users with an account of their own; further users share one account, except
  /// reserved users.
  static let accountsMax = 64

  /// The number of connections that all users together may make at once after a pause.
  static let burstOfAll: Int64 = 512
  /// The time after which all users together may make one more connection.
  static let intervalOfAll = Interval.microseconds(2_500)

  private static let tolerance = interval * (burst - 1)
  private static let toleranceOfAll = intervalOfAll * (burstOfAll - 1)

  /// The verdict on a connection.
  enum Verdict: Equatable {
    case admitted
    /// The user connects too often; `isFirst`: the user's connection before this one was admitted.
    case refused(isFirst: Bool)
    /// All users together connect too often; `isFirst`: no connection was refused for this reason since
    /// the last admitted one.
    case refusedWithAll(isFirst: Bool)
  }

  private struct Account {
    /// nil: the account that further users share.
    let userID: UInt32?
    /// The time at which all connections so far would have come at one per interval.
    var free: Instant
    var isRefusing = false
  }

  /// Whether all users together have a limit.
  private let limitsAll: Bool
  private var accounts: [Account] = []
  /// The time at which all connections so far would have come at one per interval of all users.
  private var freeOfAll = Instant.zero
  private var isRefusingAll = false

  /// - Parameter limitsAll: whether all users together have a limit.
  init(limitsAll: Bool = true) { self.limitsAll = limitsAll }

  /// Counts a connection of a user if the user and all users together may connect now.
  ///
  /// - Parameters:
  ///   - userID: the user.
  ///   - isReserved: whether a manifest names the user, or the user is an operator; such a user does not
  ///     count with all users.
  ///   - now: the instant.
  /// - Returns: whether the connection is admitted, or the limit that refuses it.
  mutating func verdict(on userID: UInt32, isReserved: Bool = false, at now: Instant) -> Verdict {
    let index = account(of: userID, isReserved: isReserved, at: now)
    let countsWithAll = limitsAll && !isReserved
    let (free, isRefusing) = (accounts[index].free, accounts[index].isRefusing)
    guard free - ConnectionPace.tolerance <= now else {
      accounts[index].isRefusing = true
      return .refused(isFirst: !isRefusing)
    }
    if countsWithAll, freeOfAll - ConnectionPace.toleranceOfAll > now {
      defer { isRefusingAll = true }
      return .refusedWithAll(isFirst: !isRefusingAll)
    }
    if countsWithAll {
      freeOfAll = max(freeOfAll, now) + ConnectionPace.intervalOfAll
      isRefusingAll = false
    }
    accounts[index].free = max(free, now) + ConnectionPace.interval
    accounts[index].isRefusing = false
    return .admitted
  }

  private mutating func account(of userID: UInt32, isReserved: Bool, at now: Instant) -> Int {
    if let index = accounts.firstIndex(where: { $0.userID == userID }) { return index }
    if accounts.count >= ConnectionPace.accountsMax { accounts.removeAll { $0.free <= now } }
    let hasRoom = isReserved || accounts.count < ConnectionPace.accountsMax
    if !hasRoom, let shared = accounts.firstIndex(where: { $0.userID == nil }) { return shared }
    accounts.append(Account(userID: hasRoom ? userID : nil, free: now))
    return accounts.count - 1
  }
}
