internal import BinnacleModel
internal import Foundation

/// The last known authorization of this process, and the managers that are informed of changes.
final class AuthorizationStorage: @unchecked Sendable {
  /// Guards the fields; a condition, because the first answer of the daemon is awaited.
  private let condition = NSCondition()
  private var last: AuthorizationState?
  private var isWatched = false
  private var listeners: [ObjectIdentifier: @Sendable (AuthorizationState) -> Void] = [:]

  /// The longest wait for the first answer of the daemon.
  ///
  /// A property must return, and a daemon that runs answers within milliseconds.
  private static let firstAnswerTimeMax = 1.0

  private let service: @Sendable () -> DaemonConnection

  init(service: @escaping @Sendable () -> DaemonConnection) {
    self.service = service
  }

  /// The authorization of the app; not determined while no daemon has answered.
  var state: AuthorizationState {
    watch()
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: AuthorizationStorage.firstAnswerTimeMax)
    while last == nil, condition.wait(until: end) {}
    return last ?? AuthorizationState(.notDetermined)
  }

  /// Calls a listener with the present state as soon as it is known, and with each change.
  func listen(as owner: AnyObject, _ listener: @escaping @Sendable (AuthorizationState) -> Void) {
    condition.lock()
    listeners[ObjectIdentifier(owner)] = listener
    let present = last
    condition.unlock()
    if let present { listener(present) }
    watch()
  }

  func forget(_ owner: ObjectIdentifier) {
    condition.lock()
    listeners[owner] = nil
    condition.unlock()
  }

  /// The daemon has sent the authorization.
  func arrived(_ state: AuthorizationState) {
    condition.lock()
    let isNew = state != last
    last = state
    let listeners = Array(listeners.values)
    condition.broadcast()
    condition.unlock()
    if isNew { for listener in listeners { listener(state) } }
  }

  private func watch() {
    condition.lock()
    let isFirst = !isWatched
    isWatched = true
    condition.unlock()
    if isFirst { service().watch(self) }
  }
}

extension AuthorizationStorage {
  /// The authorization of this process.
  static let ofThisProcess = AuthorizationStorage { DaemonConnection.ofThisProcess }
}
