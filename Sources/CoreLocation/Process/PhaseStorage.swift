package import BinnacleModel
internal import Synchronization

/// The phase of the app between the connection of this process and the module `AppRuntime`.
package final class PhaseStorage: Sendable {
  private struct Inside {
    var listener: (@Sendable (AppPhase) -> Void)?
    var isWatched = false
  }

  private let inside = Mutex(Inside())
  private let service: @Sendable () -> DaemonConnection

  init(service: @escaping @Sendable () -> DaemonConnection) {
    self.service = service
  }

  /// The daemon has sent the phase.
  func arrived(_ phase: AppPhase) { inside.withLock { $0.listener }?(phase) }

  /// Calls back with the present phase, and with each change.
  package func watch(_ listener: @escaping @Sendable (AppPhase) -> Void) {
    let isFirst = inside.withLock { inside in
      defer { inside.isWatched = true }
      inside.listener = listener
      return !inside.isWatched
    }
    if isFirst { service().watch(self) }
  }
}

extension PhaseStorage {
  private static let shared = PerProcess { PhaseStorage { DaemonConnection.ofThisProcess } }

  /// The phase of this process's app.
  package static var ofThisProcess: PhaseStorage { shared.value }
}
