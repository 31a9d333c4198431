/// Orders from iterators that were not sent to the daemon yet, oldest first.
///
/// If an iterator opens and closes before its order is sent, both orders are removed: the daemon receives neither.
struct OrderQueue {
  /// An order from an iterator or from the defaults.
  enum Order: Sendable {
    case open(UpdatesStorage)
    case close(UpdatesStorage)
    case openSession(SessionStorage)
    case closeSession(SessionStorage)
    /// The authorization of the app is reported from now on.
    case watch(AuthorizationStorage)
    /// The presses of buttons are reported from now on.
    case watchButtons(ButtonsStorage)
    /// The phase of the app is reported from now on.
    case watchPhase(PhaseStorage)
    /// The defaults are used for the first time, or have messages to send.
    case serve(DefaultsStorage)
  }

  private var orders: [Order] = []

  var isEmpty: Bool { orders.isEmpty }

  var count: Int { orders.count }

  mutating func append(_ order: Order) {
    let opening =
      switch order {
      case .close(let storage): indexOfOpening(storage)
      case .closeSession(let storage): indexOfOpening(storage)
      case .open, .openSession, .watch, .watchButtons, .watchPhase, .serve: Int?.none
      }
    if let opening { orders.remove(at: opening) } else { orders.append(order) }
  }

  mutating func popFirst() -> Order? {
    orders.isEmpty ? nil : orders.removeFirst()
  }

  /// The search begins with the newest order, because the newest iterators are the most likely to close.
  private func indexOfOpening(_ storage: UpdatesStorage) -> Int? {
    orders.lastIndex {
      switch $0 {
      case .open(let opened): opened === storage
      case .close, .openSession, .closeSession, .watch, .watchButtons, .watchPhase, .serve: false
      }
    }
  }

  private func indexOfOpening(_ session: SessionStorage) -> Int? {
    orders.lastIndex {
      switch $0 {
      case .openSession(let opened): opened === session
      case .open, .close, .closeSession, .watch, .watchButtons, .watchPhase, .serve: false
      }
    }
  }
}
