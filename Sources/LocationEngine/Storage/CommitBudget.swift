import BinnacleBasics

/// The budget of an app's commits: a burst at once, and then one commit in each period.
///
/// An app that writes all day wears out an SD card; a burst of a minute does not. Changes beyond the budget wait and
/// are committed together, with the last value of each key.
struct CommitBudget: Equatable, Codable, Sendable {
  private struct Account: Equatable, Codable, Sendable {
    var owner: DefaultsKey.Owner
    /// When the whole burst is available again.
    var paidAt: Instant
  }

  private var accounts: [Account] = []

  /// The earliest time of the next commit; a past time if a commit may be made now.
  func nextTurn(of owner: DefaultsKey.Owner) -> Instant {
    guard let account = accounts.first(where: { $0.owner == owner }) else { return .zero }
    return account.paidAt - StorageLimits.appCommitPeriod * (StorageLimits.appCommitBurst - 1)
  }

  /// A commit is made.
  mutating func spend(_ owner: DefaultsKey.Owner, at now: Instant) {
    accounts.removeAll { $0.paidAt <= now }
    if let index = accounts.firstIndex(where: { $0.owner == owner }) {
      accounts[index].paidAt += StorageLimits.appCommitPeriod
    } else {
      accounts.append(Account(owner: owner, paidAt: now + StorageLimits.appCommitPeriod))
    }
  }
}
