internal import BinnacleModel
internal import Foundation
internal import Synchronization

/// The part of a manager that works on other threads than the manager's own: services, requests and authorization.
final class ClassicService: @unchecked Sendable {
  /// The longest search of ``requestLocation(within:)``.
  static let requestTimeMax = Duration.seconds(10)

  /// Waits for the end of a search; `best` is the best location of the search so far.
  typealias SearchEnd = @Sendable (_ best: @Sendable () -> CLLocation?) async -> Void

  /// The end of an app's search, ``requestTimeMax`` after its beginning.
  static let endOfSearch: SearchEnd = { _ in
    try? await Task.sleep(for: ClassicService.requestTimeMax)
  }

  private struct Inside {
    var location: CLLocation?
    var request: Task<Void, Never>?
    var isPaused = false
    /// The number of calls of ``stop()``: locations that wait for the manager's queue are dropped at a stop.
    var stopCount = 0
    /// Whether the delegate has not got the first authorization yet.
    var owesAuthorization = false
  }

  let authorization: AuthorizationStorage
  private let queue = DelegateQueue()
  private let service: @Sendable () -> DaemonConnection
  private let searchEnd: SearchEnd
  private let inside = Mutex(Inside())
  /// Set once before the manager is used; read on the manager's own queue.
  private weak var manager: CLLocationManager?
  private var standard: StandardUpdates?

  init(
    _ authorization: AuthorizationStorage, service: @escaping @Sendable () -> DaemonConnection,
    searchEnd: @escaping SearchEnd
  ) {
    self.authorization = authorization
    self.service = service
    self.searchEnd = searchEnd
  }

  func begin(for manager: CLLocationManager) {
    self.manager = manager
    standard = StandardUpdates(service: service) { [weak self] in self?.take($0) }
    authorization.listen(as: self) { [weak self] _ in self?.authorizationChanged() }
  }

  func end() {
    standard?.stop()
    inside.withLock { $0.request }?.cancel()
    authorization.forget(ObjectIdentifier(self))
    queue.end()
  }

  // MARK: The delegate

  /// Calls the manager on its own queue.
  func inform(_ call: @escaping (CLLocationManager) -> Void) {
    nonisolated(unsafe) let call = call
    queue.perform { [weak self] in
      if let manager = self?.manager { call(manager) }
    }
  }

  func fail(_ code: CLError.Code) {
    inform { ClassicService.tell($0, CLError(code)) }
  }

  private func authorizationChanged() {
    inform { [weak self] manager in
      self?.inside.withLock { $0.owesAuthorization = manager.delegate == nil }
      manager.delegate?.locationManagerDidChangeAuthorization(manager)
    }
  }

  /// A delegate that is set late gets the first authorization, too.
  func delegateChanged() {
    let isOwed = inside.withLock { inside in
      defer { inside.owesAuthorization = false }
      return inside.owesAuthorization
    }
    if isOwed { authorizationChanged() }
  }

  // MARK: Requests

  /// Makes a request for an authorization, which lasts until the user has answered.
  func request(_ session: AppSession) {
    let request = SessionStorage(session, service: service)
    let diagnostics = request.diagnostics()
    request.begin()
    Task.detached {
      for await flags in diagnostics
      where !flags.contains(.authorizationRequestInProgress) {
        break
      }
      request.end()
    }
  }

  /// Asks for full accuracy; calls back with whether the user was asked, after the answer.
  ///
  /// A key that no message can carry is in no manifest, and the daemon would end the connection for an empty one.
  func requestFullAccuracy(_ purpose: String, _ done: @escaping @Sendable (Bool) -> Void) {
    guard AppSession.isPurpose(purpose) else { return queue.perform { done(false) } }
    let request = SessionStorage(.fullAccuracyRequest(purpose: purpose), service: service)
    // A loop that begins after the answer would not see that the user was asked.
    let diagnostics = request.diagnostics()
    request.begin()
    let queue = queue
    Task.detached {
      var wasAsked = false
      for await flags in diagnostics {
        guard flags.contains(.authorizationRequestInProgress) else { break }
        wasAsked = true
      }
      request.end()
      queue.perform { [wasAsked] in done(wasAsked) }
    }
  }

  // MARK: Standard updates

  /// The manager allows updates in the background, which ends the process if the app's manifest does not permit them.
  func backgroundAllowed() {
    authorization.onceKnown {
      if $0 == false {
        fatalError(
          "allowsBackgroundLocationUpdates needs BackgroundModes=location in the manifest of this app (apps.d/*.app)"
        )
      }
    }
  }

  var location: CLLocation? { inside.withLock { $0.location } }

  func change(_ change: (inout StandardUpdates.Settings) -> Void) { standard?.change(change) }

  func start() {
    cancelRequest()
    standard?.start()
  }

  func stop() {
    cancelRequest()
    inside.withLock { inside in
      inside.isPaused = false
      inside.stopCount += 1
    }
    standard?.stop()
  }

  private func take(_ news: StandardUpdates.News) {
    switch news {
    case .location(let location):
      let hasResumed = inside.withLock { inside in
        defer { inside.isPaused = false }
        return inside.isPaused
      }
      deliver(location, hasResumed: hasResumed)
    case .failed(let code): informUnlessStopped { ClassicService.tell($0, CLError(code)) }
    case .paused:
      inside.withLock { $0.isPaused = true }
      informUnlessStopped { $0.delegate?.locationManagerDidPauseLocationUpdates($0) }
    }
  }

  private func deliver(_ location: CLLocation, hasResumed: Bool = false) {
    inside.withLock { $0.location = location }
    informUnlessStopped { manager in
      if hasResumed { manager.delegate?.locationManagerDidResumeLocationUpdates(manager) }
      manager.delegate?.locationManager(manager, didUpdateLocations: [location])
    }
  }

  /// Calls the manager on its own queue, unless the app has stopped the service before the queue comes to it.
  private func informUnlessStopped(_ call: @escaping (CLLocationManager) -> Void) {
    let stopCount = inside.withLock { $0.stopCount }
    inform { [weak self] manager in
      if self?.inside.withLock({ $0.stopCount }) == stopCount { call(manager) }
    }
  }

  private static func tell(_ manager: CLLocationManager, _ error: CLError) {
    manager.delegate?.locationManager(manager, didFailWithError: error)
  }

  // MARK: One location

  func requestLocation(within accuracy: CLLocationAccuracy) {
    if standard?.isRunning == true { return }
    cancelRequest()
    let service = service
    let searchEnd = searchEnd
    let task = Task.detached { [weak self] in
      let found = await ClassicService.bestLocation(within: accuracy, until: searchEnd, service)
      guard !Task.isCancelled else { return }
      switch found {
      case .success(let location): self?.deliver(location)
      case .failure(let error):
        self?.informUnlessStopped { ClassicService.tell($0, CLError(error.code)) }
      }
    }
    inside.withLock { $0.request = task }
  }

  private func cancelRequest() {
    inside.withLock { $0.request.take() }?.cancel()
  }

  /// The best location of a search.
  private final class Best: Sendable {
    private let kept = Mutex(CLLocation?.none)

    var location: CLLocation? { kept.withLock { $0 } }

    func take(_ location: CLLocation) {
      kept.withLock { kept in
        if kept.map({ location.horizontalAccuracy <= $0.horizontalAccuracy }) ?? true {
          kept = location
        }
      }
    }
  }

  /// The first location of an accuracy, or the best one until the end of the search.
  ///
  /// "Best" is satisfied by the accuracy that kCLLocationAccuracyNearestTenMeters names.
  private static func bestLocation(
    within accuracy: CLLocationAccuracy, until end: @escaping SearchEnd,
    _ service: @escaping @Sendable () -> DaemonConnection
  ) async -> Result<CLLocation, CLError> {
    let best = Best()
    let failure = await withTaskGroup(of: CLError?.self) { group in
      group.addTask {
        let updates = CLLocationUpdate.Updates(
          configuration: .default, isReduced: StandardUpdates.isReduced(accuracy),
          connection: service)
        do {
          for try await update in updates {
            if update.authorizationDenied || update.authorizationRestricted {
              return CLError(.denied)
            }
            guard let location = update.location else { continue }
            best.take(location)
            if location.horizontalAccuracy <= max(accuracy, kCLLocationAccuracyNearestTenMeters) {
              return nil
            }
          }
        } catch {
          return error as? CLError
        }
        return nil
      }
      group.addTask {
        await end { best.location }
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let location = best.location { return .success(location) }
    return .failure(failure ?? CLError(.locationUnknown))
  }
}
