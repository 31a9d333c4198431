/// A decision about what somebody may have, tied to the record that keeps it.
///
/// What it leads to cannot be had before the log has answered: there is no other way to the orders than
/// ``orders(after:)``. So nothing is given that a power cut would take back, and nothing is said to be taken away that a
/// power cut would give back.
public struct Decision<Order: Sendable>: Sendable {
  public enum Direction: Equatable, Codable, Sendable {
    /// Somebody gets something: a permission, a session. Without the record it is not given.
    case gives
    /// Somebody loses something. A disk that fails must not keep it alive: it is taken away all the same, until the
    /// next start at least, and whoever asked is told that it is not kept.
    case takesAway
  }

  public let direction: Direction
  /// What has to be committed, as one commit.
  public let changes: [Change]
  private let orders: [Order]

  public init(_ direction: Direction, changes: [Change], then orders: [Order]) {
    self.direction = direction
    self.changes = changes
    self.orders = orders
  }

  /// What may be done, now that the log has answered: `failure` says why the changes were not committed, and is nil
  /// when they were, or when nothing had to be written.
  public func orders(after failure: CommitFailure?) -> [Order] {
    switch (direction, failure) {
    case (_, nil), (.takesAway, _): orders
    case (.gives, _): []
    }
  }
}

extension Decision: Equatable where Order: Equatable {}
extension Decision: Codable where Order: Codable {}
