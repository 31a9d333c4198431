import StateLog

/// A decision about the rights of an app or a person, tied to the records that keep it.
///
/// The orders that follow are private until the log has answered: ``orders(after:)`` is the only way to them. So no power
/// cut takes back a right that was given, and no power cut gives back a right that was reported as taken away.
struct Decision<Order: Sendable>: Sendable {
  enum Direction: Equatable, Codable, Sendable {
    /// Gives a permission or a session. Without the record it is not given.
    case gives
    /// Takes a permission or a session away. A disk that fails must not keep it alive: it is taken away all the same,
    /// until the next start at least, and the requester is told that the decision is not kept.
    case takesAway
  }

  let direction: Direction
  /// The changes of the decision, for one commit.
  let changes: [Change]
  private let orders: [Order]

  init(_ direction: Direction, changes: [Change], then orders: [Order]) {
    self.direction = direction
    self.changes = changes
    self.orders = orders
  }

  /// The orders to carry out, now that the log has answered: `failure` says why the changes are not committed, and is nil
  /// when they are, or when nothing had to be written.
  func orders(after failure: StorageFault?) -> [Order] {
    switch (direction, failure) {
    case (_, nil), (.takesAway, _): orders
    case (.gives, _): []
    }
  }
}

extension Decision: Equatable where Order: Equatable {}
extension Decision: Codable where Order: Codable {}
