package import BinnacleModel
internal import BinnaclePosix

/// The phase of the app between the connection of this process and the module `AppRuntime`.
package final class PhaseStorage: @unchecked Sendable {
  /// Guards the fields; a condition, because the first phase is awaited.
  private let condition = MonotonicCondition()
  private var last: AppPhase?
  private var listener: (@Sendable (AppPhase) -> Void)?
  private var isWatched = false

  private let service: @Sendable () -> DaemonConnection

  init(service: @escaping @Sendable () -> DaemonConnection) {
    self.service = service
  }

  /// The daemon has sent the phase.
  func arrived(_ phase: AppPhase) {
    condition.lock()
    last = phase
    let listener = listener
    condition.broadcast()
    condition.unlock()
    listener?(phase)
  }

  /// Waits for the first phase, and calls back with each later one.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait.
  ///   - listener: is called with each phase that arrives after the return.
  /// - Returns: the present phase; nil if no daemon has sent one in time.
  package func watch(
    firstWithin seconds: Double, _ listener: @escaping @Sendable (AppPhase) -> Void
  ) -> AppPhase? {
    condition.lock()
    let isFirst = !isWatched
    isWatched = true
    condition.unlock()
    if isFirst { service().watch(self) }
    condition.lock()
    defer { condition.unlock() }
    let end = Clock.monotonicNanoseconds + Int64(seconds * 1e9)
    while last == nil, condition.wait(until: end) {}
    self.listener = listener
    return last
  }
}

extension PhaseStorage {
  private static let shared = PerProcess { PhaseStorage { DaemonConnection.ofThisProcess } }

  /// The phase of this process's app.
  package static var ofThisProcess: PhaseStorage { shared.value }
}
