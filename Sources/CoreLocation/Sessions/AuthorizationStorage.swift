internal import BinnacleModel
internal import BinnaclePosix

/// The last known authorization of this process, and the managers that are informed of changes.
final class AuthorizationStorage: @unchecked Sendable {
  /// Guards the fields; a condition, because the first answer of the daemon is awaited.
  private let condition = MonotonicCondition()
  private var last: AuthorizationState?
  private var isWatched = false
  /// Whether a caller has waited in vain for the first answer.
  private var hasWaited = false
  /// Whether the daemon has ever reported a manifest with a background mode; the daemon may not see the program again
  /// after an upgrade of its file.
  private var hadBackgroundMode = false
  private var manifestListeners: [@Sendable (Bool?) -> Void] = []
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
  ///
  /// The first call waits for the daemon.
  var state: AuthorizationState { state(within: AuthorizationStorage.firstAnswerTimeMax) }

  /// The authorization of the app; the first call waits for the daemon, at most this number of seconds.
  func state(within seconds: Double) -> AuthorizationState {
    answer(within: seconds) ?? AuthorizationState(.notDetermined)
  }

  /// The last known state.
  private func answer(within seconds: Double) -> AuthorizationState? {
    watch()
    condition.lock()
    defer { condition.unlock() }
    let end = Clock.monotonicNanoseconds + Int64(seconds * 1e9)
    while last == nil, !hasWaited {
      guard condition.wait(until: end) else {
        // No later call waits: an app that starts without a daemon is delayed once, and not at each property.
        hasWaited = true
        condition.broadcast()
        break
      }
    }
    return last
  }

  /// Calls back once with whether the manifest permits locations in the background: before this method returns if a daemon
  /// has answered or answers the first call in time, else with the first answer of a daemon.
  func onceKnown(_ listener: @escaping @Sendable (_ hasBackgroundMode: Bool?) -> Void) {
    _ = answer(within: AuthorizationStorage.firstAnswerTimeMax)
    condition.lock()
    let known = last
    if known == nil { manifestListeners.append(listener) }
    let hadBackgroundMode = hadBackgroundMode
    condition.unlock()
    if let known { listener(hadBackgroundMode ? true : known.hasBackgroundMode) }
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
    let isNew = last.map { !$0.isSameAuthorization(as: state) } ?? true
    last = state
    if state.hasBackgroundMode == true { hadBackgroundMode = true }
    let listeners = Array(listeners.values)
    let manifestListeners = manifestListeners
    self.manifestListeners = []
    condition.broadcast()
    condition.unlock()
    for listener in manifestListeners { listener(state.hasBackgroundMode) }
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
  private static let shared = PerProcess {
    AuthorizationStorage { DaemonConnection.ofThisProcess }
  }

  /// The authorization of this process.
  static var ofThisProcess: AuthorizationStorage { shared.value }
}
