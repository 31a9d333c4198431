/// What iterators have asked for and the daemon has not been told, oldest first.
///
/// An iterator that comes and goes before its turn leaves nothing behind: the daemon never hears of it.
struct OrderQueue {
  /// What an iterator asks for.
  enum Order: Sendable {
    case open(UpdatesStorage)
    case close(UpdatesStorage)
    /// What the app keeps is wanted for the first time, or something is to be sent.
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

  /// The newest iterators are the likeliest to go, so they are looked at first.
  private func indexOfOpening(_ storage: UpdatesStorage) -> Int? {
    orders.lastIndex {
      switch $0 {
      case .open(let opened): opened === storage
      case .close, .serve: false
      }
    }
  }
}
