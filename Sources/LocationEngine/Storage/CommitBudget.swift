import BinnacleBasics

/// How often an app may have the disk written: many times at once, and seldom for ever.
///
/// An app that writes all day wears out a card; an app that writes a lot for a minute does not. Faster changes wait and go
/// together: of each key the last.
struct CommitBudget: Equatable, Codable, Sendable {
  private struct Account: Equatable, Codable, Sendable {
    var owner: DefaultsKey.Owner
    /// When all of its commits are paid for.
    var paidAt: Instant
  }

  private var accounts: [Account] = []

  /// From when on the next commit may be; the past when it may be at any time.
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
