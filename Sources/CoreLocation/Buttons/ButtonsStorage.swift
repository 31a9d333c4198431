package import BinnacleModel
internal import Synchronization

/// The presses of buttons between the connection of this process and its loops.
///
/// The class is in this module and not in that of `ButtonEvents`, because a process has one connection.
package final class ButtonsStorage: Sendable {
  private struct Inside {
    var readers: [Int: AsyncStream<ButtonPress>.Continuation] = [:]
    var lastReader = 0
    var isWatched = false
  }

  /// Presses that wait for a slow loop; the oldest are dropped.
  private static let waitingMax = 64

  private let inside = Mutex(Inside())
  private let service: @Sendable () -> DaemonConnection

  init(service: @escaping @Sendable () -> DaemonConnection) {
    self.service = service
  }

  /// The daemon has sent a press.
  func arrived(_ press: ButtonPress) {
    for reader in inside.withLock({ Array($0.readers.values) }) { reader.yield(press) }
  }

  /// The presses for one loop, from now on.
  package func presses() -> AsyncStream<ButtonPress> {
    let (stream, reader) = AsyncStream.makeStream(
      of: ButtonPress.self, bufferingPolicy: .bufferingNewest(ButtonsStorage.waitingMax))
    let isFirst = inside.withLock { inside in
      inside.lastReader += 1
      let number = inside.lastReader
      inside.readers[number] = reader
      reader.onTermination = { [weak self] _ in
        self?.inside.withLock { _ = $0.readers.removeValue(forKey: number) }
      }
      defer { inside.isWatched = true }
      return !inside.isWatched
    }
    if isFirst { service().watch(self) }
    return stream
  }
}

extension ButtonsStorage {
  private static let shared = PerProcess { ButtonsStorage { DaemonConnection.ofThisProcess } }

  /// The presses for this process.
  package static var ofThisProcess: ButtonsStorage { shared.value }
}
