import StateLog

/// A decision about the rights of an app or a person, tied to the records that keep it.
///
/// The orders are private until the log has answered: ``orders(after:)`` is the only access. No power cut therefore
/// takes back a right that was given, and no power cut gives back a right that was reported as taken away.
struct Decision<Order: Sendable>: Sendable {
  enum Direction: Equatable, Codable, Sendable {
    /// Gives a permission or a session; without the record the right is not given.
    case gives
    /// Takes a permission or a session away.
    ///
    /// A failed disk must not preserve the right. The right is therefore taken away even without the record, at least
    /// until the next start, and the requester is informed that the decision is not kept.
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

  /// The orders to carry out after the answer of the log.
  ///
  /// `failure` is the reason why the changes are not committed. It is nil if they are committed, or if no write was
  /// needed.
  func orders(after failure: StorageFault?) -> [Order] {
    switch (direction, failure) {
    case (_, nil), (.takesAway, _): orders
    case (.gives, _): []
    }
  }
}

extension Decision: Equatable where Order: Equatable {
  /// Whether the log's answer carries out this order.
  func leads(to order: Order) -> Bool { orders.contains(order) }
}
extension Decision: Codable where Order: Codable {}

extension Decision where Order == StateOrder {
  /// Whether the decision erases stored records.
  var isErasure: Bool {
    orders.contains { if case .forget = $0 { true } else { false } }
  }
}
