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

  /// A search for one location.
  private struct Search {
    var number: Int
    var task: Task<Void, Never>
  }

  /// The delegate, which the manager does not keep.
  ///
  /// The lock guards the reference. The delegate itself leaves the lock as a ``KeptDelegate``.
  private struct WeakDelegate: @unchecked Sendable {
    weak var object: (any CLLocationManagerDelegate)?
  }

  /// The delegate at one time, which exists as long as this value.
  private struct KeptDelegate: @unchecked Sendable {
    let object: (any CLLocationManagerDelegate)?
  }

  private struct Inside {
    var delegate = WeakDelegate()
    var location: CLLocation?
    /// The search whose result the delegate has not got; nil if the app has canceled it.
    var search: Search?
    var lastSearch = 0
    /// Whether the delegate knows of a pause, and of no location since.
    var isPaused = false
    /// Whether the delegate has not got the first authorization yet.
    var owesAuthorization = false
    /// The last call on the manager's queue, if it delivers locations and has not begun; newer locations join it.
    var batch: LocationBatch?
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
    standard = StandardUpdates(service: service) { [weak self] news, generation in
      self?.take(news, generation: generation)
    }
    authorization.listen(as: self) { [weak self] _ in self?.authorizationChanged() }
  }

  func end() {
    standard?.stop()
    inside.withLock { $0.search }?.task.cancel()
    authorization.forget(ObjectIdentifier(self))
    queue.end()
  }

  // MARK: The delegate

  /// Calls the manager on its own queue, after the locations so far.
  func inform(_ call: @escaping (CLLocationManager) -> Void) {
    inside.withLock { $0.batch = nil }
    enqueue(call)
  }

  /// Adds a call to the manager's queue; the call is used there only.
  private func enqueue(_ call: @escaping (CLLocationManager) -> Void) {
    nonisolated(unsafe) let call = call
    queue.perform { [weak self] in
      if let manager = self?.manager { call(manager) }
    }
  }

  func fail(_ code: CLError.Code) {
    inform { ClassicService.tell($0, CLError(code)) }
  }

  /// The object that is informed.
  ///
  /// A delegate that is set late gets the first authorization, too.
  var delegate: (any CLLocationManagerDelegate)? {
    get { inside.withLock { KeptDelegate(object: $0.delegate.object) }.object }
    set {
      let delegate = WeakDelegate(object: newValue)
      let isOwed = inside.withLock { inside in
        inside.delegate = delegate
        defer { inside.owesAuthorization = false }
        return inside.owesAuthorization
      }
      if isOwed { authorizationChanged() }
    }
  }

  private func authorizationChanged() {
    inform { [weak self] manager in
      self?.takeDelegateOfAuthorization()?.locationManagerDidChangeAuthorization(manager)
    }
  }

  /// The delegate that gets the authorization now; without a delegate the authorization is owed.
  ///
  /// One lock guards both, because a task may set the delegate at the same time.
  private func takeDelegateOfAuthorization() -> (any CLLocationManagerDelegate)? {
    let delegate = inside.withLock { inside in
      let delegate = KeptDelegate(object: inside.delegate.object)
      inside.owesAuthorization = delegate.object == nil
      return delegate
    }
    return delegate.object
  }

  // MARK: Requests

  /// Makes a request for an authorization, which lasts until the user has answered.
  func request(_ session: AppSession) {
    service().requests.make(session, authorization: authorization, service: service)
  }

  /// Asks for full accuracy; calls back with whether the user was asked, after the answer.
  ///
  /// A key that no message can carry is in no manifest, and the daemon would end the connection for an empty one.
  func requestFullAccuracy(_ purpose: String, _ done: @escaping @Sendable (Bool) -> Void) {
    guard AppSession.isPurpose(purpose) else { return queue.perform { done(false) } }
    let queue = queue
    service().requests.make(
      .fullAccuracyRequest(purpose: purpose), authorization: authorization, service: service
    ) { wasAsked in
      queue.perform { done(wasAsked) }
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
    cancelSearch()
    standard?.start()
  }

  func stop() {
    cancelSearch()
    inside.withLock { $0.isPaused = false }
    standard?.stop()
  }

  /// Takes news of the standard updates, unless the app has stopped them.
  ///
  /// The app may stop them until the manager's queue comes to the news, so the queue asks again.
  func take(_ news: StandardUpdates.News, generation: Int) {
    guard standard?.isWanted(generation) == true else { return }
    switch news {
    case .location(let location): take(location, generation: generation)
    case .failed(let code):
      inform { [weak self] manager in
        guard self?.standard?.isWanted(generation) == true else { return }
        ClassicService.tell(manager, CLError(code))
      }
    case .paused:
      inform { [weak self] manager in
        guard let self, standard?.isWanted(generation) == true else { return }
        inside.withLock { $0.isPaused = true }
        manager.delegate?.locationManagerDidPauseLocationUpdates(manager)
      }
    }
  }

  /// Takes a location, which joins those that wait for the manager's queue.
  private func take(_ location: CLLocation, generation: Int) {
    let newBatch = inside.withLock { inside -> LocationBatch? in
      inside.location = location
      if let batch = inside.batch, batch.generation == generation {
        batch.add(location)
        return nil
      }
      let batch = LocationBatch(location, generation: generation)
      inside.batch = batch
      return batch
    }
    guard let newBatch else { return }
    enqueue { [weak self] manager in self?.tell(manager, newBatch) }
  }

  private func tell(_ manager: CLLocationManager, _ batch: LocationBatch) {
    let hasResumed = inside.withLock { inside in
      if inside.batch === batch { inside.batch = nil }
      return inside.isPaused
    }
    guard standard?.isWanted(batch.generation) == true else { return }
    if hasResumed {
      inside.withLock { $0.isPaused = false }
      manager.delegate?.locationManagerDidResumeLocationUpdates(manager)
    }
    manager.delegate?.locationManager(manager, didUpdateLocations: batch.take())
  }

  private static func tell(_ manager: CLLocationManager, _ error: CLError) {
    manager.delegate?.locationManager(manager, didFailWithError: error)
  }

  // MARK: One location

  /// Begins a search, unless one is outstanding; updates that run take its place.
  func requestLocation(within accuracy: CLLocationAccuracy) {
    if let standard, standard.isRunning { return standard.repeatDenial() }
    let service = service
    let searchEnd = searchEnd
    inside.withLock { inside in
      guard inside.search == nil else { return }
      inside.lastSearch += 1
      let number = inside.lastSearch
      let task = Task.detached(executorPreference: ClassicExecutor.ofThisProcess) { [weak self] in
        let found = await ClassicService.bestLocation(within: accuracy, until: searchEnd, service)
        self?.take(found, search: number)
      }
      inside.search = Search(number: number, task: task)
    }
  }

  /// Takes the result of a search, unless the app has canceled the search before the manager's queue comes to the result.
  func take(_ found: Result<CLLocation, CLError>, search number: Int) {
    let isWanted = inside.withLock { inside in
      guard inside.search?.number == number else { return false }
      if case .success(let location) = found { inside.location = location }
      return true
    }
    guard isWanted else { return }
    inform { [weak self] manager in
      guard let self, finish(search: number) else { return }
      switch found {
      case .success(let location):
        manager.delegate?.locationManager(manager, didUpdateLocations: [location])
      case .failure(let error): ClassicService.tell(manager, CLError(error.code))
      }
    }
  }

  /// Ends an outstanding search, so that the delegate may begin another one; false if the app has canceled the search.
  private func finish(search number: Int) -> Bool {
    inside.withLock { inside in
      guard inside.search?.number == number else { return false }
      inside.search = nil
      return true
    }
  }

  private func cancelSearch() {
    inside.withLock { $0.search.take() }?.task.cancel()
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
  /// "Best" is satisfied by the accuracy that kCLLocationAccuracyNearestTenMeters names, and each accuracy by the
  /// approximate location of an app with reduced accuracy.
  private static func bestLocation(
    within accuracy: CLLocationAccuracy, until end: @escaping SearchEnd,
    _ service: @escaping @Sendable () -> DaemonConnection
  ) async -> Result<CLLocation, CLError> {
    let best = Best()
    let failure = await withTaskGroup(of: CLError?.self) { group in
      group.addTask {
        let updates = CLLocationUpdate.Updates(
          configuration: .default,
          options: StandardUpdates.isReduced(accuracy) ? [.search, .reduced] : .search,
          connection: service)
        var session: SessionStorage?
        defer { session?.end() }
        do {
          for try await update in updates {
            if update.serviceSessionRequired, session == nil {
              session = StandardUpdates.requiredSession(service)
            }
            if update.authorizationDenied || update.authorizationRestricted {
              return CLError(.denied)
            }
            guard let location = update.location else { continue }
            best.take(location)
            // No more accurate location follows an approximate one.
            let isSufficient =
              location.horizontalAccuracy <= max(accuracy, kCLLocationAccuracyNearestTenMeters)
            if isSufficient || update.accuracyLimited { return nil }
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
