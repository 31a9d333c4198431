/// Orders from iterators that were not sent to the daemon yet, oldest first.
///
/// If an iterator opens and closes before its order is sent, both orders are removed: the daemon receives neither.
struct OrderQueue {
  /// An order from an iterator or from the defaults.
  enum Order: Sendable {
    case open(UpdatesStorage)
    case close(UpdatesStorage)
    /// The defaults are used for the first time, or have messages to send.
    case serve(DefaultsStorage)
  }

  private var orders: [Order] = []

  var isEmpty: Bool { orders.isEmpty }

  var count: Int { orders.count }

  mutating func append(_ order: Order) {
    if case .close(let storage) = order, let index = indexOfOpening(storage) {
      orders.remove(at: index)
    } else {
      orders.append(order)
    }
  }

  mutating func popFirst() -> Order? {
    orders.isEmpty ? nil : orders.removeFirst()
  }

  /// The search begins with the newest order, because the newest iterators are the most likely to close.
  private func indexOfOpening(_ storage: UpdatesStorage) -> Int? {
    orders.lastIndex {
      switch $0 {
      case .open(let opened): opened === storage
      case .close, .serve: false
      }
    }
  }
}
