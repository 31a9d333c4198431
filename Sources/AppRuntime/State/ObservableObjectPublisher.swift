internal import Synchronization

/// Informs its subscribers before an ``ObservableObject`` changes.
///
/// Combine's operators are not there: a view subscribes by itself, and other code takes the ``values``.
public final class ObservableObjectPublisher: Sendable {
  private struct Inside {
    var subscribers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let inside = Mutex(Inside())

  /// Makes a publisher without subscribers.
  public init() {}

  /// Informs all subscribers that the object changes now.
  public func send() {
    for subscriber in inside.withLock({ Array($0.subscribers.values) }) { subscriber() }
  }

  /// One element for each change from now on; several changes may come as one.
  public var values: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { reader in
      let number = subscribe { reader.yield() }
      reader.onTermination = { [weak self] _ in self?.unsubscribe(number) }
    }
  }

  /// Calls back at each change; returns the number of the subscription.
  func subscribe(_ subscriber: @escaping @Sendable () -> Void) -> Int {
    inside.withLock { inside in
      inside.lastNumber += 1
      inside.subscribers[inside.lastNumber] = subscriber
      return inside.lastNumber
    }
  }

  func unsubscribe(_ number: Int) {
    inside.withLock { _ = $0.subscribers.removeValue(forKey: number) }
  }
}
